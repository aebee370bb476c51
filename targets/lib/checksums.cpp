// lib/checksums: every checksum against its definition, worked out bit by bit or with a division
// for each byte.
//
// Lengths are small, or lie where sums that are reduced block by block might wrap; the bytes are
// noise, zeros, or all ones, the worst case. Those with a running form, and the Internet checksum,
// are given the bytes in pieces of any length, and must come to what they come to for the whole.

#include <algorithm>

#include "kernel-src/lib/checksum.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

constexpr const char* kName = "lib/checksums";
const sim::Probe kEmpty{kName, "no bytes"};
const sim::Probe kLong{kName, "bytes of more than one block of Adler-32"};
const sim::Probe kWorst{kName, "a long run of ones"};
const sim::Probe kPseudoHeader{kName, "a number goes into an Internet checksum"};
const sim::Probe kOddPiece{kName, "a piece ends inside a word"};
const sim::Probe kCarryTwice{kName, "folding the carries of an Internet checksum carries again"};

using clay::Bytes;

// --- Definitions

uint32_t crc_by_bits(Bytes bytes, uint32_t polynomial, uint32_t crc) {
  for (const uint8_t byte : bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const bool out = ((crc ^ (uint32_t{byte} >> bit)) & 1) != 0;
      crc = (crc >> 1) ^ (out ? polynomial : 0);
    }
  }
  return crc;
}

/// The two sums of Fletcher and Adler over words of `width` bytes.
uint64_t two_sums(Bytes bytes, size_t width, uint64_t modulus, uint64_t first, unsigned shift) {
  uint64_t low = first;
  uint64_t high = 0;
  for (size_t at = 0; at < bytes.size(); at += width) {
    uint64_t word = bytes[at];
    word |= width == 2 && at + 1 < bytes.size() ? uint64_t{bytes[at + 1]} << 8 : 0;
    low = (low + word) % modulus;
    high = (high + low) % modulus;
  }
  return high << shift | low;
}

/// RFC 1071, with a carry brought round after each word.
uint16_t internet_by_words(Bytes bytes) {
  uint32_t sum = 0;
  uint64_t all = 0;
  for (size_t at = 0; at < bytes.size(); at += 2) {
    const uint32_t low = at + 1 < bytes.size() ? bytes[at + 1] : 0;
    const uint32_t word = uint32_t{bytes[at]} << 8 | low;
    all += word;
    sum += word;
    sum = sum > 0xFFFF ? sum - 0xFFFF : sum;
  }
  if ((all & 0xFFFF) + (all >> 16) > 0xFFFF) kCarryTwice.hit();
  return static_cast<uint16_t>(0xFFFF - sum);
}

// --- What is summed

size_t draw_length(sim::Tape::View& data) {
  constexpr size_t kAdlerBlock = 5552; // RFC 1950's programs reduce as seldom as that
  if (data.below(16) != 15) {
    return static_cast<size_t>(data.below(64));
  }
  kLong.hit();
  return kAdlerBlock + static_cast<size_t>(data.below(2 * kAdlerBlock));
}

void fill(sim::Tape::View& data, std::span<uint8_t> bytes) {
  switch (data.below(4)) {
  case 2:
    std::ranges::fill(bytes, uint8_t{0});
    return;
  case 3:
    std::ranges::fill(bytes, uint8_t{0xFF});
    if (bytes.size() > 64) kWorst.hit();
    return;
  default:
    data.noise(bytes);
  }
}

// --- Checks

void check_whole(Bytes bytes) {
  KILN_CHECK(clay::crc32(bytes) == ~crc_by_bits(bytes, 0xEDB8'8320, UINT32_MAX), "CRC-32 is wrong");
  KILN_CHECK(clay::crc32c(bytes) == ~crc_by_bits(bytes, 0x82F6'3B78, UINT32_MAX),
             "CRC-32C is wrong");
  KILN_CHECK(clay::crc16(bytes, 0xFFFF) == crc_by_bits(bytes, 0xA001, 0xFFFF), "CRC-16 is wrong");
  KILN_CHECK(clay::adler32(bytes) == two_sums(bytes, 1, 65521, 1, 16), "Adler-32 is wrong");
  KILN_CHECK(clay::fletcher16(bytes) == two_sums(bytes, 1, 255, 0, 8), "Fletcher-16 is wrong");
  KILN_CHECK(clay::fletcher32(bytes) == two_sums(bytes, 2, 65535, 0, 16), "Fletcher-32 is wrong");
  KILN_CHECK(clay::internet_checksum(bytes) == internet_by_words(bytes),
             "the Internet checksum is wrong");
  uint32_t sum = 0;
  for (const uint8_t byte : bytes) {
    sum += byte;
  }
  KILN_CHECK(clay::byte_sum(bytes) == (sum & 0xFF), "the sum of bytes is wrong");
}

/// Bytes, or a number where they are as long as one and begin with a word; now and then no bytes.
void add_piece(sim::Tape::View& data, clay::InternetChecksum& sum, Bytes piece, bool at_word) {
  if (data.below(4) == 3) {
    sum.add({});
  }
  if (at_word && piece.size() == 2) {
    kPseudoHeader.hit();
    return sum.add_be16(static_cast<uint16_t>(piece[0] << 8 | piece[1]));
  }
  if (at_word && piece.size() == 4) {
    kPseudoHeader.hit();
    return sum.add_be32(uint32_t{piece[0]} << 24 | uint32_t{piece[1]} << 16 |
                        uint32_t{piece[2]} << 8 | piece[3]);
  }
  sum.add(piece);
}

size_t draw_piece(sim::Tape::View& data) {
  return static_cast<size_t>(data.boolean() ? data.between(1, 4) : data.between(1, 200));
}

void check_pieces(sim::Tape::View& data, Bytes bytes) {
  uint32_t crc32 = 0;
  uint32_t crc32c = 0;
  uint16_t crc16 = 0;
  uint32_t adler = 1;
  clay::InternetChecksum internet;
  for (Bytes rest = bytes; !rest.empty();) {
    const bool at_word = (bytes.size() - rest.size()) % 2 == 0;
    const Bytes piece = rest.first(std::min(draw_piece(data), rest.size()));
    rest = rest.from(piece.size());
    if (piece.size() % 2 != 0 && !rest.empty()) kOddPiece.hit();
    crc32 = clay::crc32(piece, crc32);
    crc32c = clay::crc32c(piece, crc32c);
    crc16 = clay::crc16(piece, crc16);
    adler = clay::adler32(piece, adler);
    add_piece(data, internet, piece, at_word);
  }
  KILN_CHECK(crc32 == clay::crc32(bytes) && crc32c == clay::crc32c(bytes) &&
                 crc16 == clay::crc16(bytes),
             "a CRC of pieces is not that of the whole");
  KILN_CHECK(adler == clay::adler32(bytes), "Adler-32 of pieces is not that of the whole");
  KILN_CHECK(internet.value() == clay::internet_checksum(bytes),
             "the Internet checksum of pieces is not that of the whole");
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  sim::ExactBlock block(draw_length(data), 1);
  fill(data, block.bytes());
  if (block.bytes().empty()) kEmpty.hit();
  check_whole(block.bytes());
  check_pieces(data, block.bytes());
  run.machine.digest(clay::crc32(block.bytes()));
}

const sim::Target target{{
    .name = kName,
    .purpose = "Checksums and CRCs against their definitions, whole and in pieces.",
    .run = run,
    .gate_inputs = 10'000,
    .longest_tape = 256,
    .tags = "lib",
}};

} // namespace
} // namespace kiln::targets
