#include "kernel-src/task/delayed_work.h"

namespace clay {

void DelayedWork::on_deadline(Timer&, void* self) {
  static_cast<void>(static_cast<DelayedWork*>(self)->work_.queue());
}

bool DelayedWork::queue_at(uint64_t deadline_ns) {
  WorkQueue& home = work_.home_;
  IrqSpinGuard guard(home.lock_);
  if (work_.cancels_ != 0 || home.stopping_) {
    return false;
  }
  return timer_.arm_at(deadline_ns); // refused only while somebody cancels
}

bool DelayedWork::cancel() {
  const bool was_armed = timer_.try_cancel() == Timer::Cancelled::kPending;
  return work_.cancel() || was_armed;
}

bool DelayedWork::cancel_and_wait() {
  {
    IrqSpinGuard guard(work_.home_.lock_);
    ++work_.cancels_; // no new deadline, and the timer's handler queues nothing
  }
  const bool was_armed = timer_.cancel();
  const bool was_queued = work_.cancel_and_wait();
  IrqSpinGuard guard(work_.home_.lock_);
  --work_.cancels_;
  return was_armed || was_queued;
}

} // namespace clay
