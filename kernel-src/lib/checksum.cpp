#include "kernel-src/lib/checksum.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay {
namespace {

constexpr uint32_t kMod = 65521; // the largest prime below 2^16 (RFC 1950)

// Bytes whose sums of Adler-32 surely fit 32 bits before they are reduced.
constexpr size_t kAdlerBlock = 5552;

Bytes take(Bytes& bytes, size_t most) {
  const Bytes head = bytes.first(bytes.size() < most ? bytes.size() : most);
  bytes = bytes.from(head.size());
  return head;
}

} // namespace

uint32_t adler32(Bytes bytes, uint32_t before) {
  uint32_t low = (before & 0xFFFF) % kMod;
  uint32_t high = (before >> 16) % kMod;
  while (!bytes.empty()) {
    for (const uint8_t byte : take(bytes, kAdlerBlock)) {
      low += byte;
      high += low;
    }
    low %= kMod;
    high %= kMod;
  }
  return high << 16 | low;
}

uint16_t fletcher16(Bytes bytes) {
  uint32_t low = 0;
  uint32_t high = 0;
  for (const uint8_t byte : bytes) {
    low = (low + byte) % 255;
    high = (high + low) % 255;
  }
  return static_cast<uint16_t>(high << 8 | low);
}

uint32_t fletcher32(Bytes bytes) {
  uint32_t low = 0;
  uint32_t high = 0;
  while (!bytes.empty()) {
    const Bytes word = take(bytes, 2);
    const uint32_t value = word.size() == 2 ? load_le<uint16_t>(word.data()) : word[0];
    low = (low + value) % 65535;
    high = (high + low) % 65535;
  }
  return high << 16 | low;
}

uint8_t byte_sum(Bytes bytes) {
  uint8_t sum = 0;
  for (const uint8_t byte : bytes) {
    sum = wrapping_add(sum, byte);
  }
  return sum;
}

// The sum is kept in 64 bits: carries out of 16 bits gather above, and are folded at the end.
void InternetChecksum::add(Bytes bytes) {
  if (odd_ && !bytes.empty()) {
    sum_ += bytes[0];
    odd_ = false;
    bytes = bytes.from(1);
  }
  const size_t even = align_down(bytes.size(), size_t{2});
  for (size_t i = 0; i < even; i += 2) {
    sum_ += load_be<uint16_t>(bytes.data() + i);
  }
  if (even != bytes.size()) {
    sum_ += static_cast<uint64_t>(bytes[even]) << 8;
    odd_ = true;
  }
}

void InternetChecksum::add_be16(uint16_t value) {
  CLAY_ASSERT(!odd_);
  sum_ += value;
}

void InternetChecksum::add_be32(uint32_t value) {
  add_be16(static_cast<uint16_t>(value >> 16));
  add_be16(static_cast<uint16_t>(value & 0xFFFF));
}

uint16_t InternetChecksum::value() const {
  uint64_t sum = sum_;
  while (sum >> 16 != 0) {
    sum = (sum & 0xFFFF) + (sum >> 16);
  }
  return static_cast<uint16_t>(~sum & 0xFFFF);
}

uint16_t internet_checksum(Bytes bytes) {
  InternetChecksum checksum;
  checksum.add(bytes);
  return checksum.value();
}

} // namespace clay
