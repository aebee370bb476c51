#pragma once
// The armed timers of one CPU, and the interrupt that runs them. Private to timer.h.

#include <atomic>
#include <stdint.h>

#include "kernel-src/hal/time.h"
#include "kernel-src/lib/tree.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/task/timer.h"

namespace clay {

inline constinit LockClass timer_queue_class{"timer-queue"};

class TimerQueue {
 public:
  constexpr TimerQueue() = default;

  /// That of this CPU; interrupts are off.
  static TimerQueue& here();
  /// Connects the timer interrupt. Once, at boot.
  static void boot();

  /// Takes the lock of the queue that is the timer's home.
  static TimerQueue& lock_home(Timer& timer, bool* were_on);
  void unlock(bool were_on) { lock_.unlock(were_on); }

  // With the lock held; `timer` has its home here.

  /// Whether the handler of `timer` runs now.
  bool runs(const Timer& timer) const { return running_ == &timer; }
  void insert(Timer& timer);
  /// Whether it was there.
  bool remove(Timer& timer);
  /// Sets the CPU's timer to the first deadline. On the queue's own CPU only.
  void program();

  /// Number of handlers that have ended: changes when one does.
  uint32_t ended() const { return ended_.load(std::memory_order_relaxed); }
  /// Waits until it is no longer `seen`.
  void wait_ended(uint32_t seen) const;

 private:
  /// Timers that one interrupt runs at most: it comes again at once for the rest, and others in
  /// between.
  static constexpr unsigned kMostPerInterrupt = 8;

  static TimerQueue& home(const Timer& timer);
  void expire();
  void run(IrqSpinGuard& guard, Timer& timer);
  void plan_next_period(Timer& timer);
  Timer* first_due(uint64_t now_ns);

  IrqSpinLock lock_{timer_queue_class};
  /// Equal deadlines in order of arming.
  Tree<Timer, &Timer::link_, &Timer::deadline_ns_> armed_;
  const Timer* running_ = nullptr;
  uint64_t programmed_ns_ = kHalNever;
  std::atomic<uint32_t> ended_{0}; ///< written under lock_
};

} // namespace clay
