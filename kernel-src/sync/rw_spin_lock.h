#pragma once
// A spin lock that readers share. It prefers readers: they pass a writer that waits, so a reader
// may read again inside, and an interrupt handler may read what the code it interrupted is reading.
// Writers can starve under steady reading; for data that is read briefly and written seldom.
//
//   ReadSpinGuard guard(routes_lock_);        WriteSpinGuard guard(routes_lock_);
//
// When interrupt handlers read, writers elsewhere must use IrqWriteSpinGuard (a handler would spin
// on the writer it interrupted); when handlers write, readers elsewhere IrqReadSpinGuard as well.
//
// Any context but NMI.

#include <atomic>
#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/spin_word.h"

namespace clay {

class RwSpinLock {
 public:
  constexpr explicit RwSpinLock(LockClass& lock_class) : map_(lock_class.map(kHalSpinLock)) {}
  ~RwSpinLock() { hal_lock_destroyed(&map_); }
  RwSpinLock(const RwSpinLock&) = delete;
  RwSpinLock& operator=(const RwSpinLock&) = delete;

  CLAY_INLINE void lock_read() {
    hal_preempt_disable();
    take_shared();
  }
  CLAY_INLINE void unlock_read() {
    drop_shared();
    hal_preempt_enable();
  }
  CLAY_INLINE void lock_write() {
    hal_preempt_disable();
    take_exclusive();
  }
  CLAY_INLINE void unlock_write() {
    drop_exclusive();
    hal_preempt_enable();
  }

  /// With interrupts off meanwhile; the value is for the matching unlock.
  [[nodiscard]] CLAY_INLINE bool lock_read_irq() {
    const bool were_on = hal_irq_save();
    take_shared();
    return were_on;
  }
  CLAY_INLINE void unlock_read_irq(bool were_on) {
    drop_shared();
    hal_irq_restore(were_on);
  }
  [[nodiscard]] CLAY_INLINE bool lock_write_irq() {
    const bool were_on = hal_irq_save();
    take_exclusive();
    return were_on;
  }
  CLAY_INLINE void unlock_write_irq(bool were_on) {
    drop_exclusive();
    hal_irq_restore(were_on);
  }

 private:
  static constexpr uint32_t kWriter = 0x8000'0000u; ///< below it: the number of readers

  CLAY_INLINE void take_shared() {
    hal_lock_acquiring(&map_, kHalLockSharedRecursive);
    uint32_t seen = word_.load(std::memory_order_relaxed);
    while (!join_readers(seen)) {
    }
    hal_lock_acquired(&map_, kHalLockSharedRecursive);
  }

  /// Acquire pairs with the release in drop_exclusive(): what the last writer wrote is seen.
  CLAY_INLINE bool join_readers(uint32_t& seen) {
    if ((seen & kWriter) != 0) {
      spin_relax(word_, seen);
      seen = word_.load(std::memory_order_relaxed);
      return false;
    }
    return word_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire,
                                       std::memory_order_relaxed);
  }

  /// Release pairs with the acquire in take_exclusive(): reads come before the next write.
  CLAY_INLINE void drop_shared() {
    hal_lock_released(&map_, kHalLockSharedRecursive);
    word_.fetch_sub(1, std::memory_order_release);
  }

  CLAY_INLINE void take_exclusive() {
    hal_lock_acquiring(&map_, kHalLockExclusive);
    uint32_t seen = 0;
    while (!word_.compare_exchange_weak(seen, kWriter, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
      if (seen != 0) {
        spin_relax(word_, seen);
        seen = 0;
      }
    }
    hal_lock_acquired(&map_, kHalLockExclusive);
  }

  CLAY_INLINE void drop_exclusive() {
    hal_lock_released(&map_, kHalLockExclusive);
    word_.store(0, std::memory_order_release);
  }

  std::atomic<uint32_t> word_{0};
  HalLockMap map_;
};

class [[nodiscard]] ReadSpinGuard {
 public:
  CLAY_INLINE explicit ReadSpinGuard(RwSpinLock& lock) : lock_(lock) { lock_.lock_read(); }
  CLAY_INLINE ~ReadSpinGuard() { lock_.unlock_read(); }
  ReadSpinGuard(const ReadSpinGuard&) = delete;
  ReadSpinGuard& operator=(const ReadSpinGuard&) = delete;

 private:
  RwSpinLock& lock_;
};

class [[nodiscard]] WriteSpinGuard {
 public:
  CLAY_INLINE explicit WriteSpinGuard(RwSpinLock& lock) : lock_(lock) { lock_.lock_write(); }
  CLAY_INLINE ~WriteSpinGuard() { lock_.unlock_write(); }
  WriteSpinGuard(const WriteSpinGuard&) = delete;
  WriteSpinGuard& operator=(const WriteSpinGuard&) = delete;

 private:
  RwSpinLock& lock_;
};

class [[nodiscard]] IrqReadSpinGuard {
 public:
  CLAY_INLINE explicit IrqReadSpinGuard(RwSpinLock& lock)
      : lock_(lock), were_on_(lock_.lock_read_irq()) {}
  CLAY_INLINE ~IrqReadSpinGuard() { lock_.unlock_read_irq(were_on_); }
  IrqReadSpinGuard(const IrqReadSpinGuard&) = delete;
  IrqReadSpinGuard& operator=(const IrqReadSpinGuard&) = delete;

 private:
  RwSpinLock& lock_;
  bool were_on_;
};

class [[nodiscard]] IrqWriteSpinGuard {
 public:
  CLAY_INLINE explicit IrqWriteSpinGuard(RwSpinLock& lock)
      : lock_(lock), were_on_(lock_.lock_write_irq()) {}
  CLAY_INLINE ~IrqWriteSpinGuard() { lock_.unlock_write_irq(were_on_); }
  IrqWriteSpinGuard(const IrqWriteSpinGuard&) = delete;
  IrqWriteSpinGuard& operator=(const IrqWriteSpinGuard&) = delete;

 private:
  RwSpinLock& lock_;
  bool were_on_;
};

} // namespace clay
