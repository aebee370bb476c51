#pragma once
// Work queues: a task that runs work items one by one, in the order in which they were queued.
// Interrupt handlers leave to it what may wait.
//
//   Work work{system_work(), "rescan", rescan, &disk};
//   work.queue();                    // in the interrupt
//   ...
//   work.cancel_sync();              // before `disk` goes
//
// An item may be queued again as soon as its handler has begun; the handler may end (destroy) it.
// For items that should run side by side use several queues.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/wait_queue.h"
#include "kernel-src/task/task.h"

namespace clay {

class WorkQueue;

inline constinit LockClass work_queue_class{"work-queue"};

class Work {
 public:
  using Handler = void (*)(Work& work, void* arg);

  /// `name` must be static.
  constexpr Work(WorkQueue& queue, const char* name, Handler handler, void* arg)
      : home_(queue), name_(name), handler_(handler), arg_(arg) {}
  /// Neither queued nor, unless by its own handler, running.
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Puts it at the end of its queue. False when it is queued already, when a cancel_sync() is
  /// under way or when the queue is stopping. Any context but NMI.
  bool queue();

  /// Takes it out of the queue again; true when it was there. Its handler may be running. Any
  /// context but NMI.
  bool cancel();

  /// Takes it out, waits until its handler does not run, and keeps anybody from queueing it
  /// meanwhile. True when it was queued. Task context, with nothing held that the handler takes;
  /// not in a handler of the same queue.
  CLAY_INLINE bool cancel_sync() {
    hal_may_wait("work cancel");
    return cancel_and_wait();
  }

  /// Waits until its handler has returned for the last queue() before this call (or it was
  /// cancelled). The same conditions.
  CLAY_INLINE void flush() {
    hal_may_wait("work flush");
    static_cast<void>(wait_done(kHalNever));
  }
  /// False when the clock has reached deadline_ns first.
  [[nodiscard]] CLAY_INLINE bool flush_until(uint64_t deadline_ns) {
    hal_may_wait("work flush");
    return wait_done(deadline_ns);
  }

 private:
  friend class WorkQueue;
  friend class DelayedWork;

  bool cancel_and_wait();
  bool wait_done(uint64_t deadline_ns);

  WorkQueue& home_; ///< its lock guards what is not const
  const char* const name_;
  const Handler handler_;
  void* const arg_;
  HalObject object_{"work item", 0, 0, 0, 0};
  ListLink link_;
  WaitQueue waiters_;    ///< wait for the run that is queued
  uint32_t cancels_ = 0; ///< cancel_sync() calls under way
};

class WorkQueue {
 public:
  /// `name`, static, is also the task's.
  constexpr explicit WorkQueue(const char* name) : name_(name) {}
  /// It must have been stopped, or never started.
  ~WorkQueue();

  /// Starts the task. kNoMemory when there is no room for it. Once.
  Result<> start();
  /// Refuses new items, waits until those that are queued have run, and ends the task. Task
  /// context, nothing held, not in a handler of this queue.
  CLAY_INLINE void stop() {
    hal_may_wait("work queue stop");
    finish();
  }
  /// Waits until nothing is queued and nothing runs. The same conditions.
  CLAY_INLINE void drain() {
    hal_may_wait("work queue drain");
    wait_idle();
  }

 private:
  friend class Work;
  friend class DelayedWork;

  static void run(void* queue);
  Work* next_work(IrqSpinGuard& guard);
  void run_one(IrqSpinGuard& guard, Work& work);
  void finish();
  void wait_idle();

  // With lock_ held.
  bool accepts(const Work& work) const;
  bool enqueue(Work& work);
  bool remove(Work& work);
  bool wait_for_task(IrqSpinGuard& guard, WaitQueue& queue, const char* what, const char* name,
                     uint64_t deadline_ns);

  const char* const name_;
  IrqSpinLock lock_{work_queue_class};
  List<Work, &Work::link_> items_; ///< guarded by lock_, as the rest
  Work* running_ = nullptr;        ///< identity only: its handler may end it
  uint64_t runs_ = 0;              ///< begun so far
  WaitQueue running_waiters_;      ///< wait for the end of the handler that runs
  WaitQueue idle_waiters_;         ///< wait for the queue to be empty
  WaitQueue worker_;               ///< the task, when it has nothing to do
  bool stopping_ = false;
  Task task_;
};

/// The queue for whatever needs none of its own; handlers should be short. From boot on.
WorkQueue& system_work();
/// Starts it. Once, at boot.
void boot_work();

} // namespace clay
