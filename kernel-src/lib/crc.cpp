// Cyclic redundancy checks by table, one byte a step. The tables are made by the compiler.

#include "kernel-src/lib/checksum.h"

namespace clay {
namespace {

template <typename Word> struct Table {
  Word entry[256];
};

// `polynomial` reflected: its highest power in the lowest bit.
template <typename Word> consteval Table<Word> make_table(Word polynomial) {
  Table<Word> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    Word crc = static_cast<Word>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      const bool carry = (crc & 1) != 0;
      crc = static_cast<Word>((crc >> 1) ^ (carry ? polynomial : Word{0}));
    }
    table.entry[byte] = crc;
  }
  return table;
}

constexpr Table<uint32_t> kCrc32 = make_table<uint32_t>(0xEDB8'8320);
constexpr Table<uint32_t> kCrc32c = make_table<uint32_t>(0x82F6'3B78);
constexpr Table<uint16_t> kCrc16 = make_table<uint16_t>(0xA001);

template <typename Word> Word run(const Table<Word>& table, Bytes bytes, Word crc) {
  for (const uint8_t byte : bytes) {
    crc = static_cast<Word>((crc >> 8) ^ table.entry[(crc ^ byte) & 0xFF]);
  }
  return crc;
}

} // namespace

uint32_t crc32(Bytes bytes, uint32_t before) { return ~run(kCrc32, bytes, ~before); }

uint32_t crc32c(Bytes bytes, uint32_t before) { return ~run(kCrc32c, bytes, ~before); }

uint16_t crc16(Bytes bytes, uint16_t before) { return run(kCrc16, bytes, before); }

} // namespace clay
