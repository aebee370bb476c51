#pragma once
// A spin lock for data that interrupt handlers share with tasks and soft IRQs. Interrupts are off
// on the holder's CPU from before the first attempt until after the release, so that a handler
// there can never spin on a lock that the code it interrupted holds.
//
//   IrqSpinGuard guard(lock_);
//
// Any context but NMI.

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/spin_word.h"

namespace clay {

class IrqSpinLock {
 public:
  constexpr explicit IrqSpinLock(LockClass& lock_class) : map_(lock_class.map(kHalSpinLock)) {}
  ~IrqSpinLock() { hal_lock_destroyed(&map_); }
  IrqSpinLock(const IrqSpinLock&) = delete;
  IrqSpinLock& operator=(const IrqSpinLock&) = delete;

  /// Whether interrupts were on: for the matching unlock.
  [[nodiscard]] CLAY_INLINE bool lock() { return lock_as(kHalLockExclusive); }

  /// A second lock of a class that the caller holds already, in an order that its class documents.
  [[nodiscard]] CLAY_INLINE bool lock_nested() {
    return lock_as(kHalLockExclusive | kHalLockNested);
  }

  /// True when taken; only then is *were_on set, and an unlock due.
  [[nodiscard]] CLAY_INLINE bool try_lock(bool* were_on) {
    const bool on = hal_irq_save();
    if (!word_.try_take()) {
      hal_irq_restore(on);
      return false;
    }
    hal_lock_acquired(&map_, kHalLockExclusive | kHalLockTry);
    *were_on = on;
    return true;
  }

  CLAY_INLINE void unlock(bool were_on) {
    hal_lock_released(&map_, kHalLockExclusive);
    word_.drop();
    hal_irq_restore(were_on);
  }

 private:
  CLAY_INLINE bool lock_as(uint32_t mode) {
    const bool were_on = hal_irq_save();
    hal_lock_acquiring(&map_, mode);
    word_.take();
    hal_lock_acquired(&map_, mode);
    return were_on;
  }

  SpinWord word_;
  HalLockMap map_;
};

/// Holds the lock while it lives; may let it go for a while and take it again.
class [[nodiscard]] IrqSpinGuard {
 public:
  CLAY_INLINE explicit IrqSpinGuard(IrqSpinLock& lock) : lock_(lock), were_on_(lock_.lock()) {}
  CLAY_INLINE ~IrqSpinGuard() {
    if (held_) {
      lock_.unlock(were_on_);
    }
  }
  IrqSpinGuard(const IrqSpinGuard&) = delete;
  IrqSpinGuard& operator=(const IrqSpinGuard&) = delete;

  CLAY_INLINE void unlock() {
    held_ = false;
    lock_.unlock(were_on_);
  }
  CLAY_INLINE void lock() {
    were_on_ = lock_.lock();
    held_ = true;
  }

 private:
  IrqSpinLock& lock_;
  bool were_on_;
  bool held_ = true;
};

} // namespace clay
