#include "kernel-src/sync/wait_group.h"

#include "kernel-src/lib/assert.h"

namespace clay {

void WaitGroup::add(uint32_t count) {
  use();
  IrqSpinGuard guard(lock_);
  CLAY_ASSERT(count <= UINT32_MAX - going_on_);
  going_on_ += count;
}

void WaitGroup::done() {
  use();
  IrqSpinGuard guard(lock_);
  CLAY_ASSERT(going_on_ != 0);
  if (--going_on_ == 0) {
    queue_.grant_all();
  }
}

bool WaitGroup::wait_none(uint64_t deadline_ns) {
  use();
  IrqSpinGuard guard(lock_);
  return going_on_ == 0 || wait_in_queue(guard, deadline_ns);
}

} // namespace clay
