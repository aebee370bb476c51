// The timers of a CPU: the tree of deadlines and the interrupt that works it off.

#include "kernel-src/task/timer_queue.h"

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/sync/permanent.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/per_cpu.h"

namespace clay {
namespace {

constinit Permanent<PerCpu<TimerQueue>> queues;

} // namespace

TimerQueue& TimerQueue::here() { return queues->here(); }

TimerQueue& TimerQueue::home(const Timer& timer) {
  // Relaxed: only the comparison under the lock in lock_home() counts.
  TimerQueue* queue = timer.home_.load(std::memory_order_relaxed);
  return queue == nullptr ? queues->on(0) : *queue;
}

TimerQueue& TimerQueue::lock_home(Timer& timer, bool* were_on) {
  for (;;) {
    TimerQueue& queue = home(timer);
    const bool on = queue.lock_.lock();
    if (&home(timer) == &queue) {
      *were_on = on;
      return queue; // nobody else changes the timer's home while this lock is held
    }
    queue.lock_.unlock(on);
  }
}

void TimerQueue::insert(Timer& timer) {
  armed_.insert(timer);
  hal_resource_taken(kHalTimer, &timer);
}

bool TimerQueue::remove(Timer& timer) {
  if (!timer.link_.is_linked()) {
    return false;
  }
  armed_.remove(timer);
  hal_resource_returned(kHalTimer, &timer);
  return true;
}

void TimerQueue::program() {
  const Timer* first = armed_.first();
  const uint64_t deadline_ns = first == nullptr ? kHalNever : first->deadline_ns_;
  // A cancelled timer's deadline stays programmed: one interrupt for nothing is cheaper.
  if (deadline_ns < programmed_ns_) {
    programmed_ns_ = deadline_ns;
    hal_timer_arm(deadline_ns);
  }
}

Timer* TimerQueue::first_due(uint64_t now_ns) {
  Timer* first = armed_.first();
  return first != nullptr && first->deadline_ns_ <= now_ns ? first : nullptr;
}

void TimerQueue::expire() {
  IrqSpinGuard guard(lock_);
  programmed_ns_ = kHalNever;
  for (unsigned runs = 0; runs < kMostPerInterrupt; ++runs) {
    Timer* timer = first_due(hal_clock_ns());
    if (timer == nullptr) {
      break;
    }
    run(guard, *timer);
  }
  program();
}

void TimerQueue::run(IrqSpinGuard& guard, Timer& timer) {
  hal_object_use(&timer.object_);
  remove(timer);
  running_ = &timer;
  const bool periodic = timer.period_ns_ != 0;
  guard.unlock();
  timer.handler_(timer, timer.arg_);
  guard.lock();
  if (periodic) {
    plan_next_period(timer);
  } // else the handler may have ended it
  running_ = nullptr;
  ended_.store(wrapping_add<uint32_t>(ended(), 1), std::memory_order_release);
}

/// Unless the handler or a cancel has changed its mind.
void TimerQueue::plan_next_period(Timer& timer) {
  if (timer.period_ns_ == 0 || timer.link_.is_linked()) {
    return;
  }
  const uint64_t now_ns = hal_clock_ns();
  const uint64_t missed = saturating_sub(now_ns, timer.deadline_ns_) / timer.period_ns_;
  const uint64_t ahead_ns = saturating_mul(saturating_add<uint64_t>(missed, 1), timer.period_ns_);
  timer.deadline_ns_ = saturating_add(timer.deadline_ns_, ahead_ns);
  insert(timer);
}

void TimerQueue::wait_ended(uint32_t seen) const {
  // Acquire pairs with the release in run(): what the handler did is seen.
  while (ended_.load(std::memory_order_acquire) == seen) {
    spin_relax(ended_, seen);
  }
}

void TimerQueue::boot() {
  static constexpr InterruptHandler handler{[](unsigned, void*) { here().expire(); }, nullptr};
  const Result<> connected = connect_interrupt(kHalTimerIrq, handler);
  CLAY_ASSERT(connected.ok());
}

} // namespace clay
