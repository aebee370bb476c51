#pragma once
// What events, semaphores and the like have in common: a lock, a queue, and a life that the machine
// watches. For building such things; not used by itself.

#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/wait_queue.h"

namespace clay {

class WaitPoint {
 public:
  WaitPoint(const WaitPoint&) = delete;
  WaitPoint& operator=(const WaitPoint&) = delete;

 protected:
  enum Waiters : uint8_t { kMany = 0, kOne = 1 };

  /// Both texts must be static. `name` may be null.
  constexpr WaitPoint(const char* kind, const char* name, Waiters waiters)
      : lock_(wait_queue_class), name_(name), object_{kind, 0, waiters, 0, 0} {}
  ~WaitPoint() { hal_object_destroyed(&object_); }

  const char* name() const { return name_; }

  /// The object is used: called first by every operation.
  void use() { hal_object_use(&object_); }

  /// Waits in the queue until granted (true) or the deadline. `guard` holds lock_, also on return.
  bool wait_in_queue(IrqSpinGuard& guard, uint64_t deadline_ns, HalTask* on = nullptr);

  IrqSpinLock lock_;
  WaitQueue queue_; ///< guarded by lock_

 private:
  const char* name_;
  HalObject object_;
};

} // namespace clay
