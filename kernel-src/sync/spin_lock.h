#pragma once
// A spin lock for data that tasks share, or soft IRQ handlers among themselves. The holder keeps
// its CPU (preemption is off) and must not wait. Data that a task shares with a soft IRQ or an
// interrupt handler wants an IrqSpinLock: the handler may come while this lock is held, and spin
// for ever.
//
//   SpinGuard guard(lock_);
//
// Task or soft IRQ context.

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/spin_word.h"

namespace clay {

class SpinLock {
 public:
  constexpr explicit SpinLock(LockClass& lock_class) : map_(lock_class.map(kHalSpinLock)) {}
  ~SpinLock() { hal_lock_destroyed(&map_); }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  CLAY_INLINE void lock() { lock_as(kHalLockExclusive); }

  /// A second lock of a class that the caller holds already, in an order that its class documents.
  CLAY_INLINE void lock_nested() { lock_as(kHalLockExclusive | kHalLockNested); }

  CLAY_INLINE bool try_lock() {
    hal_preempt_disable();
    if (!word_.try_take()) {
      hal_preempt_enable();
      return false;
    }
    hal_lock_acquired(&map_, kHalLockExclusive | kHalLockTry);
    return true;
  }

  CLAY_INLINE void unlock() {
    hal_lock_released(&map_, kHalLockExclusive);
    word_.drop();
    hal_preempt_enable();
  }

 private:
  CLAY_INLINE void lock_as(uint32_t mode) {
    hal_preempt_disable();
    hal_lock_acquiring(&map_, mode);
    word_.take();
    hal_lock_acquired(&map_, mode);
  }

  SpinWord word_;
  HalLockMap map_;
};

class [[nodiscard]] SpinGuard {
 public:
  CLAY_INLINE explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  CLAY_INLINE ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

} // namespace clay
