// Work items.

#include "kernel-src/lib/assert.h"
#include "kernel-src/task/work_queue.h"

namespace clay {

Work::~Work() {
  {
    IrqSpinGuard guard(home_.lock_);
    CLAY_ASSERT(!link_.is_linked());
    CLAY_ASSERT(home_.running_ != this || hal_task_current() == home_.task_.hal());
  }
  hal_object_destroyed(&object_);
}

bool Work::queue() {
  hal_object_use(&object_);
  IrqSpinGuard guard(home_.lock_);
  return home_.enqueue(*this);
}

bool Work::cancel() {
  hal_object_use(&object_);
  IrqSpinGuard guard(home_.lock_);
  return home_.remove(*this);
}

bool Work::cancel_and_wait() {
  hal_object_use(&object_);
  IrqSpinGuard guard(home_.lock_);
  ++cancels_;
  const bool was_queued = home_.remove(*this);
  while (home_.running_ == this) {
    static_cast<void>(
        home_.wait_for_task(guard, home_.running_waiters_, "cancel of", name_, kHalNever));
  }
  --cancels_;
  return was_queued;
}

bool Work::wait_done(uint64_t deadline_ns) {
  hal_object_use(&object_);
  IrqSpinGuard guard(home_.lock_);
  const bool runs = home_.running_ == this;
  const uint64_t run = home_.runs_;
  if (link_.is_linked() && !home_.wait_for_task(guard, waiters_, "flush of", name_, deadline_ns)) {
    return false;
  }
  // What was queued has run or was cancelled; in the second case an earlier run may still go on.
  return !runs || home_.runs_ != run || home_.running_ == nullptr ||
         home_.wait_for_task(guard, home_.running_waiters_, "flush of", name_, deadline_ns);
}

} // namespace clay
