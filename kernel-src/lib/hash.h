#pragma once
// Hashes for tables. Keys that a stranger chooses (addresses and ports from the wire, names from a
// disk) are hashed with SipHash under a secret seed: else he fills one chain at will.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

/// The two halves of a SipHash key.
struct HashSeed {
  uint64_t low = 0;
  uint64_t high = 0;
};

/// SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
uint64_t siphash(HashSeed seed, Bytes bytes);

/// For numbers of the kernel's own making: the finaliser of MurmurHash3, a bijection in which every
/// input bit changes every output bit half the time.
constexpr uint64_t hash_number(uint64_t number) {
  number = wrapping_mul(number ^ (number >> 33), uint64_t{0xFF51'AFD7'ED55'8CCD});
  number = wrapping_mul(number ^ (number >> 33), uint64_t{0xC4CE'B9FE'1A85'EC53});
  return number ^ (number >> 33);
}

/// What a HashTable uses unless told otherwise.
struct DefaultHash {
  HashSeed seed = {};

  template <Integer T> uint64_t operator()(T key) const {
    return hash_number(truncate_to<uint64_t>(key) ^ seed.low);
  }
  uint64_t operator()(StringView key) const { return siphash(seed, key.bytes()); }
  uint64_t operator()(Bytes key) const { return siphash(seed, key); }
};

} // namespace clay
