#pragma once
// Timers: a handler that runs once the clock has reached a deadline, once or with a period.
//
//   Timer timer{"retransmit", on_retransmit, &connection};
//   timer.arm_at(deadline_after(rto_ns));
//   ...
//   timer.cancel();        // before `connection` goes
//
// The handler runs in an interrupt of the CPU where the timer was armed: short, never waits, never
// early, and never at the same time as itself. It may arm its own timer again, and end (destroy) it
// when it was not armed as periodic.
//
// A period counts from the first deadline, so handlers that run late do not shift it; periods that
// have gone by altogether are skipped, so there is never more than one run to catch up.
//
// arm, try_cancel, is_armed: any context but NMI. cancel: task context, with nothing held that the
// handler takes. A timer must not be armed when it is destroyed.

#include <atomic>
#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/lib/tree_core.h"
#include "kernel-src/sync/inline.h"

namespace clay {

class TimerQueue;

class Timer {
 public:
  using Handler = void (*)(Timer& timer, void* arg);

  /// `name` must be static.
  constexpr Timer(const char* name, Handler handler, void* arg)
      : name_(name), handler_(handler), arg_(arg) {}
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  const char* name() const { return name_; }

  /// Fires once the clock has reached deadline_ns, soon if it has already; replaces what was armed
  /// before. Refused (false) while a cancel() is under way.
  bool arm_at(uint64_t deadline_ns) { return arm(deadline_ns, 0); }
  /// Fires at first_ns and every period_ns (above 0) after it.
  bool arm_periodic(uint64_t first_ns, uint64_t period_ns);
  bool is_armed();

  /// What a cancel has found.
  enum class Cancelled : uint8_t {
    kIdle,    ///< not armed, and the handler runs nowhere
    kPending, ///< it was armed and will not fire; the handler runs nowhere
    kRunning, ///< the handler runs at this moment; it will not fire again unless it is armed anew
  };
  Cancelled try_cancel();

  /// Disarms it, waits until the handler runs nowhere, and keeps anybody from arming it meanwhile.
  /// True when it was armed.
  CLAY_INLINE bool cancel() {
    hal_may_wait("timer cancel");
    return cancel_and_wait();
  }

 private:
  friend class TimerQueue;

  bool arm(uint64_t deadline_ns, uint64_t period_ns);
  bool cancel_and_wait();

  const char* name_;
  Handler handler_;
  void* arg_;
  HalObject object_{"timer", 0, 0, 0, 0};

  /// The queue whose lock guards what follows. Changed only under the lock of the old one, while
  /// the timer is neither queued nor running. Null stands for the first CPU's.
  std::atomic<TimerQueue*> home_{nullptr};
  TreeLink link_;
  uint64_t deadline_ns_ = kHalNever;
  uint64_t period_ns_ = 0; ///< 0: once
  uint32_t cancels_ = 0;   ///< cancel() calls under way
};

} // namespace clay
