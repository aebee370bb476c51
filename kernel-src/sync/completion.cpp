#include "kernel-src/sync/completion.h"

#include "kernel-src/lib/assert.h"

namespace clay {

void Completion::complete() {
  use();
  IrqSpinGuard guard(lock_);
  if (!queue_.empty()) {
    queue_.grant_first();
  } else if (done_ != kAll) {
    CLAY_ASSERT(done_ < kAll - 1);
    ++done_;
  }
}

void Completion::complete_all() {
  use();
  IrqSpinGuard guard(lock_);
  done_ = kAll;
  queue_.grant_all();
}

bool Completion::done() {
  use();
  IrqSpinGuard guard(lock_);
  return done_ != 0;
}

bool Completion::wait_done(uint64_t deadline_ns) {
  use();
  IrqSpinGuard guard(lock_);
  if (done_ == 0) {
    return wait_in_queue(guard, deadline_ns);
  }
  if (done_ != kAll) {
    --done_;
  }
  return true;
}

} // namespace clay
