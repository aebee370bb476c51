#pragma once
// One number for many inputs: a sum over (iteration, digest), so that it does not matter who ran
// which input, nor in what order. Equal folds: equal runs, as far as 64 bits can tell.

#include <cstdint>

#include "sim/prng.h"

namespace kiln::gates {

class DigestFold {
 public:
  constexpr void add(uint64_t iteration, uint64_t digest) {
    value_ += sim::mix64(sim::stream_block(digest, iteration));
  }
  /// Joins the fold of other inputs.
  constexpr void join(uint64_t other) { value_ += other; }
  constexpr uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0;
};

} // namespace kiln::gates
