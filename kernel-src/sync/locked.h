#pragma once
// Locks that own their data: the value cannot be reached without the lock.
//
//   SpinLocked<Table> table_{table_class};
//   unsigned n = table_.with([](Table& table) { return table.count(); });
//
// with() returns what the callable returns, which cannot be a reference into the value. What the
// callable may do is what the lock allows: see spin_lock.h, irq_spin_lock.h, mutex.h.

#include <type_traits>
#include <utility>

#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/rw_mutex.h"
#include "kernel-src/sync/spin_lock.h"

namespace clay {

template <typename T, typename Lock, typename Guard> class Locked {
 public:
  template <typename... Args>
  constexpr explicit Locked(LockClass& lock_class, Args&&... args)
      : lock_(lock_class), value_(std::forward<Args>(args)...) {}

  template <typename Body> CLAY_INLINE auto with(Body&& body) {
    static_assert(!std::is_reference_v<std::invoke_result_t<Body&, T&>>);
    Guard guard(lock_);
    return body(value_);
  }

 private:
  Lock lock_;
  T value_; ///< guarded by lock_
};

/// Shared by tasks, or by soft IRQs.
template <typename T> using SpinLocked = Locked<T, SpinLock, SpinGuard>;
/// Shared with interrupt or soft IRQ handlers.
template <typename T> using IrqSpinLocked = Locked<T, IrqSpinLock, IrqSpinGuard>;
/// For tasks only; the callable may wait.
template <typename T> using MutexLocked = Locked<T, Mutex, MutexGuard>;

/// For tasks only: read() shares it, and gets a const value; write() has it alone.
template <typename T> class RwLocked {
 public:
  template <typename... Args>
  constexpr explicit RwLocked(LockClass& lock_class, Args&&... args)
      : lock_(lock_class), value_(std::forward<Args>(args)...) {}

  template <typename Body> CLAY_INLINE auto read(Body&& body) {
    static_assert(!std::is_reference_v<std::invoke_result_t<Body&, const T&>>);
    ReadGuard guard(lock_);
    return body(std::as_const(value_));
  }
  template <typename Body> CLAY_INLINE auto write(Body&& body) {
    static_assert(!std::is_reference_v<std::invoke_result_t<Body&, T&>>);
    WriteGuard guard(lock_);
    return body(value_);
  }

 private:
  RwMutex lock_;
  T value_; ///< guarded by lock_
};

} // namespace clay
