#pragma once
// A mutex that readers share. First come, first served between readers and writers: a writer that
// waits holds up the readers that come after it, so writers do not starve, and a reader must not
// read again inside (a writer in between would stop both).
//
//   ReadGuard guard(tree_lock_);        WriteGuard guard(tree_lock_);
//
// Task context, with nothing held that forbids waiting. Who frees the memory of one must know that
// the last unlock has returned.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/wait_queue.h"

namespace clay {

class RwMutex {
 public:
  constexpr explicit RwMutex(LockClass& lock_class)
      : map_(lock_class.map(kHalSleepingLock)), queue_lock_(wait_queue_class) {}
  ~RwMutex() { hal_lock_destroyed(&map_); }
  RwMutex(const RwMutex&) = delete;
  RwMutex& operator=(const RwMutex&) = delete;

  CLAY_INLINE void lock_read() { static_cast<void>(lock_read_until(kHalNever)); }
  CLAY_INLINE void lock_write() { static_cast<void>(lock_write_until(kHalNever)); }

  /// Gives up once the clock has reached deadline_ns; true when taken.
  [[nodiscard]] CLAY_INLINE bool lock_read_until(uint64_t deadline_ns) {
    return lock_as(kReader, kHalLockShared, deadline_ns);
  }
  [[nodiscard]] CLAY_INLINE bool lock_write_until(uint64_t deadline_ns) {
    return lock_as(kWriter, kHalLockExclusive, deadline_ns);
  }

  [[nodiscard]] CLAY_INLINE bool try_lock_read() { return try_lock_as(kReader, kHalLockShared); }
  [[nodiscard]] CLAY_INLINE bool try_lock_write() {
    return try_lock_as(kWriter, kHalLockExclusive);
  }

  CLAY_INLINE void unlock_read() {
    hal_lock_released(&map_, kHalLockShared);
    leave(kReader);
  }
  CLAY_INLINE void unlock_write() {
    hal_lock_released(&map_, kHalLockExclusive);
    leave(kWriter);
  }

 private:
  enum Side : uint32_t { kReader, kWriter };

  CLAY_INLINE bool lock_as(Side side, uint32_t mode, uint64_t deadline_ns) {
    hal_lock_acquiring(&map_, mode);
    if (!enter(side, deadline_ns)) {
      return false;
    }
    hal_lock_acquired(&map_, mode);
    return true;
  }

  CLAY_INLINE bool try_lock_as(Side side, uint32_t mode) {
    if (!try_enter(side)) {
      return false;
    }
    hal_lock_acquired(&map_, mode | kHalLockTry);
    return true;
  }

  bool enter(Side side, uint64_t deadline_ns);
  bool try_enter(Side side);
  void leave(Side side);
  bool open_to(Side side) const;
  void count_in(Side side);
  void hand_over();

  HalLockMap map_;
  IrqSpinLock queue_lock_;
  WaitQueue queue_;      ///< guarded by queue_lock_, as the rest; tags are Sides
  uint32_t readers_ = 0; ///< hold it, or have been handed it
  bool writer_ = false;  ///< likewise
};

class [[nodiscard]] ReadGuard {
 public:
  CLAY_INLINE explicit ReadGuard(RwMutex& lock) : lock_(lock) { lock_.lock_read(); }
  CLAY_INLINE ~ReadGuard() { lock_.unlock_read(); }
  ReadGuard(const ReadGuard&) = delete;
  ReadGuard& operator=(const ReadGuard&) = delete;

 private:
  RwMutex& lock_;
};

class [[nodiscard]] WriteGuard {
 public:
  CLAY_INLINE explicit WriteGuard(RwMutex& lock) : lock_(lock) { lock_.lock_write(); }
  CLAY_INLINE ~WriteGuard() { lock_.unlock_write(); }
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;

 private:
  RwMutex& lock_;
};

} // namespace clay
