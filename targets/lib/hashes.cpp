// lib/hashes: SipHash against its paper, and the hash of numbers by undoing it.
//
// SipHash is worked out over a message that is padded beforehand, its round taken from a table of
// add, turn and xor. hash_number() must be the finaliser of MurmurHash3: each of its steps has an
// inverse, and all of them in the other order must lead back to the number.

#include <bit>
#include <vector>

#include "kernel-src/lib/hash.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

using clay::Bytes;
using clay::HashSeed;

constexpr const char* kName = "lib/hashes";
const sim::Probe kEmpty{kName, "no bytes"};
const sim::Probe kWholeWords{kName, "bytes that fill their last word"};
const sim::Probe kLong{kName, "more bytes than the low byte of their length can say"};
const sim::Probe kLargest{kName, "the largest number"};

// --- Modulo 2^64, without a wrap that the checked flavours would report

constexpr uint64_t low_half(unsigned __int128 number) {
  return static_cast<uint64_t>(number & UINT64_MAX);
}
constexpr uint64_t sum(uint64_t a, uint64_t b) {
  return low_half(static_cast<unsigned __int128>(a) + b);
}
constexpr uint64_t product(uint64_t a, uint64_t b) {
  return low_half(static_cast<unsigned __int128>(a) * b);
}

// --- SipHash-2-4, sections 2.2 and 2.4 of the paper

/// One half round: `to` takes `from` in, `from` is turned left and mixed with the sum, and the sum
/// itself is turned in some.
struct HalfRound {
  unsigned to;
  unsigned from;
  int turn;
  bool turns_sum;
};
constexpr HalfRound kRound[] = {
    {0, 1, 13, true}, {2, 3, 16, false}, {0, 3, 21, false}, {2, 1, 17, true}};

void rounds(uint64_t (&v)[4], unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    for (const HalfRound& half : kRound) {
      v[half.to] = sum(v[half.to], v[half.from]);
      v[half.from] = std::rotl(v[half.from], half.turn) ^ v[half.to];
      v[half.to] = std::rotl(v[half.to], half.turns_sum ? 32 : 0);
    }
  }
}

uint64_t little_endian(const uint8_t* bytes) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) {
    word |= uint64_t{bytes[i]} << 8 * i;
  }
  return word;
}

/// Zeros, so that with the length's low byte behind them whole words come out.
std::vector<uint8_t> padded(Bytes bytes) {
  std::vector<uint8_t> message(bytes.begin(), bytes.end());
  message.resize(bytes.size() / 8 * 8 + 7);
  message.push_back(static_cast<uint8_t>(bytes.size() & 0xFF));
  return message;
}

uint64_t sip_2_4(HashSeed key, Bytes bytes) {
  static constexpr char kConstants[] = "somepseudorandomlygeneratedbytes"; // big-endian words of it
  uint64_t v[4];
  for (unsigned i = 0; i < 4; ++i) {
    const auto* const text = reinterpret_cast<const uint8_t*>(kConstants) + 8 * i;
    v[i] = __builtin_bswap64(little_endian(text)) ^ (i % 2 == 0 ? key.low : key.high);
  }
  const std::vector<uint8_t> message = padded(bytes);
  for (size_t at = 0; at < message.size(); at += 8) {
    const uint64_t word = little_endian(message.data() + at);
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xFF;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// --- The finaliser of MurmurHash3, backwards

/// The number that gives 1 when it is multiplied with `odd`: each step doubles the right bits.
constexpr uint64_t inverse_of(uint64_t odd) {
  uint64_t inverse = odd;
  for (unsigned i = 0; i < 5; ++i) {
    inverse = product(inverse, sum(2, sum(~product(odd, inverse), 1)));
  }
  return inverse;
}

uint64_t undo_finaliser(uint64_t hash) {
  hash ^= hash >> 33;
  hash = product(hash, inverse_of(0xC4CEB9FE1A85EC53));
  hash ^= hash >> 33;
  hash = product(hash, inverse_of(0xFF51AFD7ED558CCD));
  return hash ^ hash >> 33;
}

// --- Checks

void check_bytes(HashSeed seed, Bytes bytes) {
  if (bytes.empty()) kEmpty.hit();
  if (bytes.size() % 8 == 7) kWholeWords.hit();
  if (bytes.size() > 0xFF) kLong.hit();
  const uint64_t want = sip_2_4(seed, bytes);
  const uint64_t got = clay::siphash(seed, bytes);
  KILN_CHECK(got == want, "SipHash of %zu bytes is %llx, not %llx", bytes.size(),
             static_cast<unsigned long long>(got), static_cast<unsigned long long>(want));
  const clay::DefaultHash hash{seed};
  KILN_CHECK(hash(bytes) == want, "the hash of bytes is not their SipHash");
  KILN_CHECK(hash(clay::StringView(bytes)) == want, "the hash of a text is not its SipHash");
}

void check_number(HashSeed seed, uint64_t number) {
  if (number == UINT64_MAX) kLargest.hit();
  const uint64_t back = undo_finaliser(clay::hash_number(number));
  KILN_CHECK(back == number, "the hash of %llx belongs to %llx",
             static_cast<unsigned long long>(number), static_cast<unsigned long long>(back));
  const clay::DefaultHash hash{seed};
  KILN_CHECK(undo_finaliser(hash(number)) == (number ^ seed.low),
             "the seed is not mixed into the hash of a number");
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  const HashSeed seed{data.u64(), data.u64()};
  const uint64_t number = data.edge64();
  const size_t most = data.below(16) == 15 ? 600 : 40;
  sim::ExactBlock block(static_cast<size_t>(data.below(most)), 1);
  data.noise(block.bytes());
  check_bytes(seed, block.bytes());
  check_number(seed, number);
  run.machine.digest(clay::siphash(seed, block.bytes()));
}

const sim::Target target{{
    .name = kName,
    .purpose = "SipHash and the hash of numbers against their definitions.",
    .run = run,
    .gate_inputs = 5'000,
    .longest_tape = 128,
    .tags = "lib,pure",
}};

} // namespace
} // namespace kiln::targets
