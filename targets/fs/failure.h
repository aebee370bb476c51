#pragma once
// The fault of a run: the k-th allocation from when it is armed fails. Says whether a refusal may
// be that one's doing.

#include <cstdint>

#include "sim/machine.h"

namespace kiln::fs {

class Failure {
 public:
  void arm(uint64_t k) {
    at_ = sim::machine().allocations() + k;
    sim::machine().fail_allocation(k);
  }
  void disarm() {
    at_ = UINT64_MAX;
    sim::machine().fail_allocation(UINT64_MAX);
  }
  /// Before an operation; and afterwards, whether an allocation was refused meanwhile.
  static uint64_t before() { return sim::machine().allocations(); }
  bool may_have_struck(uint64_t before) const {
    return before <= at_ && at_ <= sim::machine().allocations();
  }

 private:
  uint64_t at_ = UINT64_MAX;
};

} // namespace kiln::fs
