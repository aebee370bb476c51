#include "kernel-src/sync/semaphore.h"

#include "kernel-src/lib/assert.h"

namespace clay {

bool Semaphore::try_acquire() {
  use();
  IrqSpinGuard guard(lock_);
  if (permits_ == 0) {
    return false;
  }
  --permits_;
  return true;
}

bool Semaphore::take(uint64_t deadline_ns) {
  use();
  IrqSpinGuard guard(lock_);
  if (permits_ == 0) {
    return wait_in_queue(guard, deadline_ns);
  }
  --permits_;
  return true;
}

void Semaphore::release(uint32_t permits) {
  use();
  IrqSpinGuard guard(lock_);
  while (permits != 0 && !queue_.empty()) {
    queue_.grant_first();
    --permits;
  }
  CLAY_ASSERT(permits <= UINT32_MAX - permits_);
  permits_ += permits;
}

} // namespace clay
