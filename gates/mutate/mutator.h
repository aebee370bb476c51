#pragma once
// Mutations that know a tape's lanes and spans, for coverage-guided search.
//
// A mutation changes one lane (bytes, numbers, scheduling decisions), or moves a whole structure
// that the target named, with its bytes in every lane. The rest of the tape keeps its meaning. The
// same arguments give the same tape.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/tape.h"

namespace kiln::gates {

struct MutationParent {
  std::span<const uint8_t> tape;
  /// Of a run of `tape`; null when there is none: numbers are then bytes, and there are no spans.
  const sim::TapeRecord* record = nullptr;
  /// Scheduling points of that run; 0 = not known.
  uint64_t points = 0;
};

/// Mutates the bytes of one lane in place, to at most `most`, and returns how many there are;
/// stands for libFuzzer's own mutations, which know values that the kernel compares with.
using ByteMutator = std::function<size_t(uint8_t* bytes, size_t size, size_t most)>;

/// A neighbour of the parent of 1 to `most` bytes.
std::vector<uint8_t> mutate(const MutationParent& parent, size_t most, uint64_t seed,
                            const ByteMutator& bytes);

/// A tape of 1 to `most` bytes that has something of both.
std::vector<uint8_t> cross_over(const MutationParent& first, const MutationParent& second,
                                size_t most, uint64_t seed);

} // namespace kiln::gates
