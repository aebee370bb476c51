// Arming and cancelling. A timer is armed on the CPU of whoever arms it, which may take it away
// from another CPU's queue; no two queues' locks are ever held together.

#include "kernel-src/task/timer.h"

#include "kernel-src/lib/assert.h"
#include "kernel-src/task/timer_queue.h"

namespace clay {

Timer::~Timer() {
  bool were_on = false;
  TimerQueue& home = TimerQueue::lock_home(*this, &were_on);
  CLAY_ASSERT(!link_.is_linked());
  CLAY_ASSERT(!home.runs(*this) || (period_ns_ == 0 && &home == &TimerQueue::here()));
  home.unlock(were_on);
  hal_object_destroyed(&object_);
}

bool Timer::arm_periodic(uint64_t first_ns, uint64_t period_ns) {
  CLAY_ASSERT(period_ns != 0);
  return arm(first_ns, period_ns);
}

bool Timer::arm(uint64_t deadline_ns, uint64_t period_ns) {
  hal_object_use(&object_);
  for (;;) {
    bool were_on = false;
    TimerQueue& home = TimerQueue::lock_home(*this, &were_on);
    if (cancels_ != 0) {
      home.unlock(were_on);
      return false;
    }
    static_cast<void>(home.remove(*this));
    TimerQueue& here = TimerQueue::here();
    // A timer whose handler runs stays where it runs, so that it never runs twice at once; that CPU
    // looks at its queue again when the handler ends.
    const bool local = &home == &here;
    if (local || home.runs(*this)) {
      deadline_ns_ = deadline_ns;
      period_ns_ = period_ns;
      home.insert(*this);
      if (local) {
        home.program();
      }
      home.unlock(were_on);
      return true;
    }
    home_.store(&here, std::memory_order_relaxed);
    home.unlock(were_on); // and once more: another CPU may be faster
  }
}

bool Timer::is_armed() {
  hal_object_use(&object_);
  bool were_on = false;
  TimerQueue& home = TimerQueue::lock_home(*this, &were_on);
  const bool armed = link_.is_linked() || (home.runs(*this) && period_ns_ != 0);
  home.unlock(were_on);
  return armed;
}

Timer::Cancelled Timer::try_cancel() {
  hal_object_use(&object_);
  bool were_on = false;
  TimerQueue& home = TimerQueue::lock_home(*this, &were_on);
  const bool was_armed = home.remove(*this);
  period_ns_ = 0;
  const bool runs = home.runs(*this);
  home.unlock(were_on);
  return runs ? Cancelled::kRunning : was_armed ? Cancelled::kPending : Cancelled::kIdle;
}

bool Timer::cancel_and_wait() {
  hal_object_use(&object_);
  bool were_on = false;
  TimerQueue& home = TimerQueue::lock_home(*this, &were_on);
  ++cancels_; // from here on the timer keeps its home
  bool was_armed = home.remove(*this) || (home.runs(*this) && period_ns_ != 0);
  period_ns_ = 0;
  while (home.runs(*this)) {
    const uint32_t ended = home.ended();
    home.unlock(were_on);
    home.wait_ended(ended);
    static_cast<void>(TimerQueue::lock_home(*this, &were_on));
  }
  --cancels_;
  home.unlock(were_on);
  return was_armed;
}

} // namespace clay
