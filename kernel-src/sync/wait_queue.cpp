// Waiting in a queue: push, park, look again.

#include "kernel-src/sync/wait_queue.h"

namespace clay {

void WaitQueue::push(Waiter& waiter) {
  waiter.previous = last_;
  waiter.next = nullptr;
  if (last_ == nullptr) {
    first_ = &waiter;
  } else {
    last_->next = &waiter;
  }
  last_ = &waiter;
}

void WaitQueue::remove(Waiter& waiter) {
  if (waiter.previous == nullptr) {
    first_ = waiter.next;
  } else {
    waiter.previous->next = waiter.next;
  }
  if (waiter.next == nullptr) {
    last_ = waiter.previous;
  } else {
    waiter.next->previous = waiter.previous;
  }
}

bool WaitQueue::wait(IrqSpinGuard& guard, Waiter& waiter, const HalWait& what,
                     uint64_t deadline_ns) {
  waiter.task = hal_task_current();
  push(waiter);
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
      remove(waiter);
      break;
    }
    guard.unlock();
  }
  hal_wait_end();
  return waiter.granted;
}

void WaitQueue::grant_first() {
  Waiter& waiter = *first_;
  remove(waiter);
  waiter.granted = true;
  hal_unpark(waiter.task);
}

void WaitQueue::grant_all() {
  while (!empty()) {
    grant_first();
  }
}

} // namespace clay
