#include "targets/sync/work_alone.h"

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/task/delayed_work.h"
#include "kernel-src/task/heap.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/work_queue.h"
#include "sim/probe.h"

namespace kiln::sync {
namespace {

sim::Probe due_in_cancel{"sync/work", "a delayed item falls due while it is cancelled"};

constexpr uint64_t kFar = kHalNever; // any other may come at once: the clock jumps

void count(clay::Work&, void* runs) { ++*static_cast<unsigned*>(runs); }

/// While it lives the system's worker is busy, and what is queued stays queued.
class Blocker {
 public:
  Blocker() {
    KILN_CHECK(work_.queue(), "an item is refused");
    begun_.wait();
  }
  ~Blocker() {
    go_.signal();
    work_.flush();
  }

 private:
  static void run(clay::Work&, void* arg) {
    auto& self = *static_cast<Blocker*>(arg);
    self.begun_.signal();
    self.go_.wait();
  }

  clay::Event begun_{"alone-begun"};
  clay::Event go_{"alone-go"};
  clay::Work work_{clay::system_work(), "alone-blocker", run, this};
};

void check_work() {
  unsigned runs = 0;
  clay::Work work{clay::system_work(), "alone", count, &runs};
  KILN_CHECK(!work.cancel() && !work.cancel_sync(), "an item is cancelled that nobody queued");
  {
    Blocker blocker;
    KILN_CHECK(work.flush_until(hal_clock_ns()), "a flush waits for somebody else's item");
    KILN_CHECK(work.queue() && !work.queue(), "an item is not queued, or twice");
    KILN_CHECK(!work.flush_until(hal_clock_ns()), "a flush comes back and the item is queued");
    KILN_CHECK(work.cancel() && !work.cancel(), "a queued item is not cancelled, or twice");
    KILN_CHECK(work.queue() && work.cancel_sync() && !work.cancel_sync(),
               "a queued item is not cancelled, or twice");
    KILN_CHECK(work.flush_until(hal_clock_ns()), "a flush waits for an item that was cancelled");
    KILN_CHECK(work.queue() && runs == 0, "an item is refused after its cancel");
  }
  clay::system_work().drain();
  KILN_CHECK(runs == 1, "an item that was queued once has run %u times", runs);
}

void check_delayed(sim::Machine& machine) {
  unsigned runs = 0;
  clay::DelayedWork delayed{clay::system_work(), "alone-delayed", count, &runs};
  KILN_CHECK(!delayed.cancel() && !delayed.cancel_sync(),
             "a delayed item is cancelled from nowhere");
  KILN_CHECK(delayed.queue_at(kFar) && delayed.cancel() && !delayed.cancel(),
             "a deadline to come is not cancelled, or twice");
  KILN_CHECK(delayed.queue_at(kFar) && delayed.cancel_sync() && !delayed.cancel_sync(),
             "a deadline to come is not cancelled, or twice");
  {
    Blocker blocker;
    KILN_CHECK(delayed.queue_now() && !delayed.queue_now() && delayed.cancel() && !delayed.cancel(),
               "a delayed item is not queued and taken out again once");
    KILN_CHECK(delayed.queue_now() && delayed.cancel_sync() && !delayed.cancel_sync(),
               "a delayed item is not queued and taken out again once");
  }
  KILN_CHECK(runs == 0, "a delayed item runs that was cancelled");
  const uint64_t due_ns = hal_clock_ns() + 100;
  KILN_CHECK(delayed.queue_at(due_ns), "a delayed item is refused after its cancel");
  for (unsigned i = 1; i < 20 && runs == 0; ++i) {
    clay::sleep_until(due_ns + 100 * i);
    KILN_CHECK(runs == 1 || machine.idle_until() <= due_ns, "a delayed item does not run");
  }
  delayed.cancel_sync();
}

/// A deadline that may come at any point of the cancel: the item is with the timer or in the queue,
/// and cancelled once. On one CPU no timer's handler can be half done meanwhile.
void check_cancel_when_due(sim::Machine& machine) {
  if (machine.cpus() != 1) {
    return;
  }
  constexpr unsigned kRounds = 4;
  unsigned runs = 0;
  clay::DelayedWork delayed{clay::system_work(), "alone-due", count, &runs};
  {
    Blocker blocker;
    for (unsigned i = 0; i < kRounds; ++i) {
      const uint64_t due_ns = hal_clock_ns() + 1'000'000;
      KILN_CHECK(delayed.queue_at(due_ns), "a delayed item is refused after its cancel");
      const bool to_come = machine.now() < due_ns;
      KILN_CHECK(delayed.cancel(), "an item is not cancelled that falls due meanwhile");
      if (to_come && machine.now() >= due_ns) due_in_cancel.hit();
      KILN_CHECK(!delayed.cancel(), "an item is cancelled twice that falls due meanwhile");
    }
  }
  clay::system_work().drain();
  KILN_CHECK(runs == 0, "a delayed item runs that was cancelled");
}

/// A queue that has been stopped takes nothing.
void check_stopped(bool may_fail) {
  unsigned runs = 0;
  clay::WorkQueue queue{"alone-queue"};
  clay::Work work{queue, "alone-late", count, &runs};
  clay::DelayedWork delayed{queue, "alone-late", count, &runs};
  const bool started = queue.start().ok();
  KILN_CHECK(started || may_fail, "a work queue could not be started");
  if (!started) {
    return;
  }
  KILN_CHECK(work.queue(), "an item is refused");
  queue.stop();
  KILN_CHECK(runs == 1, "a queue is stopped before its items have run");
  KILN_CHECK(!work.queue() && !delayed.queue_now() && !delayed.queue_at(kFar),
             "a queue takes an item after it was stopped");
}

/// An item whose handler ends it.
struct Once {
  explicit Once(unsigned& runs) : runs_(runs) {}
  static void run(clay::Work&, void* arg) {
    auto* self = static_cast<Once*>(arg);
    ++self->runs_;
    clay::heap_delete(self);
  }

  unsigned& runs_;
  clay::Work work{clay::system_work(), "alone-once", run, this};
};

void check_ends_itself() {
  unsigned runs = 0;
  if (auto* once = clay::heap_new<Once>(kHalAllocMayWait, runs)) {
    KILN_CHECK(once->work.queue(), "an item is refused");
    clay::system_work().drain();
    KILN_CHECK(runs == 1, "a drain came back before the item had run");
  }
}

} // namespace

void check_work_alone(sim::Machine& machine, bool may_fail) {
  check_work();
  check_delayed(machine);
  check_cancel_when_due(machine);
  check_stopped(may_fail);
  check_ends_itself();
  check_irqs_alone(machine, may_fail && machine.cpus() == 4);
  check_refs_alone(machine, may_fail);
  check_flushes_alone();
}

} // namespace kiln::sync
