// The contended half of a mutex.

#include "kernel-src/sync/mutex.h"

namespace clay {

bool Mutex::lock_slow(uint64_t deadline_ns) {
  IrqSpinGuard guard(queue_lock_);
  // From here on the holder's unlock fails its fast path and comes for queue_lock_.
  if (state_.exchange(kContended, std::memory_order_acquire) == kFree) {
    state_.store(kHeld, std::memory_order_relaxed); // let go meanwhile; nobody queues on a free one
    return true;
  }
  Waiter self;
  const HalWait what{"mutex", this, map_.lock_class->name, &map_, nullptr};
  // When granted, the previous holder's writes are ordered by queue_lock_.
  return queue_.wait(guard, self, what, deadline_ns);
}

void Mutex::unlock_slow() {
  IrqSpinGuard guard(queue_lock_);
  if (queue_.empty()) {
    state_.store(kFree, std::memory_order_release); // the waiter has given up
    return;
  }
  queue_.grant_first(); // the lock stays held: it is the waiter's now
  if (queue_.empty()) {
    state_.store(kHeld, std::memory_order_relaxed);
  }
}

} // namespace clay
