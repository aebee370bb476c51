#pragma once
// CRC-32 of IEEE 802.3, for structures that carry one. Takes what it returned for the bytes before.

#include <array>
#include <cstdint>
#include <span>

namespace kiln::gen {

inline constexpr std::array<uint32_t, 256> kCrc32Table = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB8'8320 : crc >> 1;
    }
    table[byte] = crc;
  }
  return table;
}();

inline uint32_t crc32(std::span<const uint8_t> bytes, uint32_t before = 0) {
  uint32_t crc = ~before;
  for (const uint8_t byte : bytes) {
    crc = crc >> 8 ^ kCrc32Table[(crc ^ byte) & 0xFF];
  }
  return ~crc;
}

} // namespace kiln::gen
