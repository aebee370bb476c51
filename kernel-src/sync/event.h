#pragma once
// Something that happens: tasks wait for it, any context signals it. A signal that comes before the
// wait is kept. Two flavours by who waits:
//
//   Event         at most one task waits at a time
//   SharedEvent   any number of tasks
//
// and two by what a wait leaves behind: an auto-reset event lets one wait through a signal, a
// manual-reset event lets all through until it is cleared.
//
// signal(), clear() and is_set(): any context but NMI. wait(): task context, nothing held.

#include <stdint.h>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/wait_point.h"

namespace clay {

enum class Reset : uint8_t { kAuto, kManual };

class BasicEvent : public WaitPoint {
 public:
  /// Wakes the first waiter (auto) or all (manual); kept when nobody waits. After it returns, or
  /// once a waiter has returned, the event may be gone: nothing here touches it then.
  void signal();
  /// Takes a kept signal back.
  void clear();
  bool is_set();

  CLAY_INLINE void wait() {
    hal_may_wait("event wait");
    static_cast<void>(wait_signal(kHalNever));
  }
  /// False when the clock has reached deadline_ns without a signal.
  [[nodiscard]] CLAY_INLINE bool wait_until(uint64_t deadline_ns) {
    hal_may_wait("event wait");
    return wait_signal(deadline_ns);
  }

 protected:
  constexpr BasicEvent(const char* name, Reset reset, Waiters waiters)
      : WaitPoint("event", name, waiters), reset_(reset) {}

 private:
  bool wait_signal(uint64_t deadline_ns);

  Reset reset_;
  bool set_ = false; ///< guarded by lock_; with auto reset true only while nobody waits
};

class Event : public BasicEvent {
 public:
  constexpr explicit Event(const char* name, Reset reset = Reset::kAuto)
      : BasicEvent(name, reset, kOne) {}
};

class SharedEvent : public BasicEvent {
 public:
  constexpr explicit SharedEvent(const char* name, Reset reset = Reset::kManual)
      : BasicEvent(name, reset, kMany) {}
};

} // namespace clay
