#pragma once
// CRC-32 of IEEE 802.3, for structures that carry one. Takes what it returned for the bytes before.

#include <array>
#include <cstdint>
#include <span>

#include "generators/endian.h"

namespace kiln::gen {

/// [k][byte]: what a byte does to the sum when k more bytes follow it.
inline constexpr auto kCrc32Tables = [] {
  std::array<std::array<uint32_t, 256>, 4> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB8'8320 : crc >> 1;
    }
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8 ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}();

inline uint32_t crc32(std::span<const uint8_t> bytes, uint32_t before = 0) {
  const auto& tables = kCrc32Tables;
  uint32_t crc = ~before;
  for (; bytes.size() >= 4; bytes = bytes.subspan(4)) {
    crc ^= load_le<uint32_t>(bytes.data());
    crc = tables[3][crc & 0xFF] ^ tables[2][crc >> 8 & 0xFF] ^ tables[1][crc >> 16 & 0xFF] ^
          tables[0][crc >> 24];
  }
  for (const uint8_t byte : bytes) {
    crc = crc >> 8 ^ tables[0][(crc ^ byte) & 0xFF];
  }
  return ~crc;
}

} // namespace kiln::gen
