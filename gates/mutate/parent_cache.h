#pragma once
// Records of tapes that the mutator has met, so that the same parent is not run again for every
// mutation of it. Holds a bounded number; the oldest goes first.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <unordered_map>

#include "sim/tape.h"

namespace kiln::gates {

struct KnownParent {
  sim::TapeRecord record;
  uint64_t points = 0; ///< scheduling points of its run
};

class ParentCache {
 public:
  explicit ParentCache(size_t most) : most_(most) {}

  /// Null when the tape is not known.
  const KnownParent* find(std::span<const uint8_t> tape) const;
  /// The reference is good until the next call.
  const KnownParent& remember(std::span<const uint8_t> tape, KnownParent parent);
  size_t size() const { return known_.size(); }

 private:
  size_t most_;
  std::unordered_map<uint64_t, KnownParent> known_; ///< by hash of the tape
  std::deque<uint64_t> order_;
};

} // namespace kiln::gates
