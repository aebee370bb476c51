#pragma once
// Tasks that wait, first come first served: the one place in the kernel where a task parks and is
// woken. Everything that waits is built on it.
//
// Nothing is ever signalled into the void: a waiter joins the queue under the lock under which the
// waker looks for one, and it is woken by being *granted* what it waits for, also under that lock.
// So a wake-up cannot fall between the check and the wait, a return of hal_park for no reason or by
// an old permit changes nothing, and at a deadline exactly one of "granted" and "left the queue"
// is true.
//
// A granted waiter takes the lock once more before it returns, so the waker may touch the waiter,
// its task and the object until it lets the lock go, and not after.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/task.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/sync/irq_spin_lock.h"

namespace clay {

/// A task in a queue; lies on its stack. Guarded by the queue's lock.
struct Waiter {
  HalTask* task = nullptr;
  uint32_t tag = 0; ///< for the queue's owner
  bool granted = false;
  ListLink link;
};

/// All calls with the owner's lock held.
class WaitQueue {
 public:
  constexpr WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

  bool empty() const { return waiters_.empty(); }
  /// Null when empty.
  const Waiter* first() const { return waiters_.front(); }

  /// Joins the queue, lets `guard` go and waits; holds `guard` again on return. True when granted;
  /// false once the clock has reached deadline_ns (the waiter has left the queue then). Task
  /// context, nothing else held.
  bool wait(IrqSpinGuard& guard, Waiter& waiter, const HalWait& what, uint64_t deadline_ns);

  /// Takes the first waiter out and wakes it. The queue must not be empty.
  void grant_first();
  /// Grants as many as there are: work in proportion to the tasks that wait.
  void grant_all();
  /// Moves the waiters of `other`, guarded by the same lock, behind those here.
  void take_all(WaitQueue& other) { waiters_.append_all(other.waiters_); }

 private:
  List<Waiter, &Waiter::link> waiters_;
};

/// Class of the locks inside events, mutexes and the like: innermost, nothing is taken under them.
inline constinit LockClass wait_queue_class{"wait-queue"};

} // namespace clay
