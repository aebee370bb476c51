#pragma once
// A lock whose holder may wait. Waiters get it in the order in which they came: it is handed to the
// first of them, so nobody can step in between.
//
//   MutexGuard guard(lock_);
//
// Task context, with nothing held that forbids waiting. Who frees the memory of a mutex must know
// that the last unlock has returned.

#include <atomic>
#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/wait_queue.h"

namespace clay {

class Mutex {
 public:
  constexpr explicit Mutex(LockClass& lock_class)
      : map_(lock_class.map(kHalSleepingLock)), queue_lock_(wait_queue_class) {}
  ~Mutex() { hal_lock_destroyed(&map_); }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  CLAY_INLINE void lock() { static_cast<void>(lock_as(kHalLockExclusive, kHalNever)); }

  /// A second mutex of a class that the caller holds already, in an order its class documents.
  CLAY_INLINE void lock_nested() {
    static_cast<void>(lock_as(kHalLockExclusive | kHalLockNested, kHalNever));
  }

  /// Gives up once the clock has reached deadline_ns; true when taken.
  [[nodiscard]] CLAY_INLINE bool lock_until(uint64_t deadline_ns) {
    return lock_as(kHalLockExclusive, deadline_ns);
  }

  [[nodiscard]] CLAY_INLINE bool try_lock() {
    if (!take_free()) {
      return false;
    }
    hal_lock_acquired(&map_, kHalLockExclusive | kHalLockTry);
    return true;
  }

  CLAY_INLINE void unlock() {
    hal_lock_released(&map_, kHalLockExclusive);
    // Release pairs with the acquire in take_free() and lock_slow().
    uint32_t expected = kHeld;
    if (!state_.compare_exchange_strong(expected, kFree, std::memory_order_release,
                                        std::memory_order_relaxed)) [[unlikely]] {
      unlock_slow();
    }
  }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  static constexpr uint32_t kContended = 2; ///< held, and unlock has to look at the queue

  CLAY_INLINE bool take_free() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }

  CLAY_INLINE bool lock_as(uint32_t mode, uint64_t deadline_ns) {
    hal_lock_acquiring(&map_, mode);
    if (!take_free() && !lock_slow(deadline_ns)) {
      return false;
    }
    hal_lock_acquired(&map_, mode);
    return true;
  }

  CLAY_SLOW_PATH bool lock_slow(uint64_t deadline_ns);
  CLAY_SLOW_PATH void unlock_slow();

  std::atomic<uint32_t> state_{kFree};
  HalLockMap map_;
  IrqSpinLock queue_lock_;
  WaitQueue queue_; ///< guarded by queue_lock_; not empty only while the mutex is contended
};

class [[nodiscard]] MutexGuard {
 public:
  CLAY_INLINE explicit MutexGuard(Mutex& lock) : lock_(lock) { lock_.lock(); }
  CLAY_INLINE ~MutexGuard() { lock_.unlock(); }
  MutexGuard(const MutexGuard&) = delete;
  MutexGuard& operator=(const MutexGuard&) = delete;

 private:
  Mutex& lock_;
};

} // namespace clay
