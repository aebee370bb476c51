// Waiting in a queue: push, park, look again.

#include "kernel-src/sync/wait_queue.h"

namespace clay {

bool WaitQueue::wait(IrqSpinGuard& guard, Waiter& waiter, const HalWait& what,
                     uint64_t deadline_ns) {
  waiter.task = hal_task_current();
  waiters_.push_back(waiter);
  guard.unlock();
  hal_wait_begin(&what);
  for (;;) {
    const bool permitted = hal_park(deadline_ns);
    guard.lock();
    if (waiter.granted) {
      break;
    }
    // Without a permit it is the deadline, or nothing at all: the clock knows.
    if (!permitted && hal_clock_ns() >= deadline_ns) {
      waiter.link.unlink(); // of this queue, or of the one that took it over
      break;
    }
    guard.unlock();
  }
  hal_wait_end();
  return waiter.granted;
}

void WaitQueue::grant_first() {
  Waiter& waiter = *waiters_.pop_front();
  waiter.granted = true;
  hal_unpark(waiter.task);
}

void WaitQueue::grant_all() {
  while (!empty()) {
    grant_first();
  }
}

} // namespace clay
