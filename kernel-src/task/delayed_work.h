#pragma once
// A work item that a timer queues.
//
//   DelayedWork renew{system_work(), "renew", renew_lease, &lease};
//   renew.queue_at(deadline_after(lease_ns / 2));
//   ...
//   renew.cancel_sync();

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/task/timer.h"
#include "kernel-src/task/work_queue.h"

namespace clay {

class DelayedWork {
 public:
  constexpr DelayedWork(WorkQueue& queue, const char* name, Work::Handler handler, void* arg)
      : work_(queue, name, handler, arg), timer_(name, on_deadline, this) {}

  /// Queues it once the clock has reached deadline_ns; replaces a deadline that is still to come.
  /// False when a cancel_sync() is under way or the queue is stopping. Any context but NMI.
  bool queue_at(uint64_t deadline_ns);
  /// Queues it now; a deadline to come stays.
  bool queue_now() { return work_.queue(); }

  /// Forgets the deadline and takes the item out; true when either was there. The handler may be
  /// running. Any context but NMI.
  bool cancel();

  /// As cancel(), waits until the handler does not run, and keeps anybody from starting it over
  /// meanwhile. Task context, with nothing held that the handler takes; not in a handler of the
  /// same queue.
  CLAY_INLINE bool cancel_sync() {
    hal_may_wait("work cancel");
    return cancel_and_wait();
  }

 private:
  static void on_deadline(Timer& timer, void* self);
  bool cancel_and_wait();

  Work work_;
  Timer timer_; ///< armed under the queue's lock, which comes before the timer's own
};

} // namespace clay
