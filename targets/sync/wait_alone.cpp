#include "targets/sync/wait_alone.h"

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/sync/completion.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/sync/semaphore.h"
#include "kernel-src/sync/wait_group.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "sim/probe.h"

namespace kiln::sync {
namespace {

sim::Probe two_signals{"sync/waits", "two signals come before the one waiter has run"};

/// A wait without patience: whether it would have returned at once.
template <typename Object> bool ready(Object& object) { return object.wait_until(hal_clock_ns()); }

void check_auto_event() {
  clay::Event event{"alone-auto"};
  KILN_CHECK(!event.is_set() && !ready(event), "an event is set that nobody signalled");
  event.signal();
  event.signal();
  KILN_CHECK(event.is_set() && ready(event), "an event forgets its signal");
  KILN_CHECK(!event.is_set() && !ready(event), "a signal lets two waits through");
  event.signal();
  event.clear();
  KILN_CHECK(!event.is_set() && !ready(event), "a signal is there that was cleared away");
}

/// The waiter takes one of two signals, also when it has not run between them.
void check_two_signals(sim::Machine& machine, bool may_fail) {
  clay::Event event{"alone-twice"};
  auto waiter = clay::Task::spawn("alone-waiter", [&event] { event.wait(); });
  KILN_CHECK(waiter.ok() || may_fail, "a task could not be made");
  if (!waiter.ok()) {
    return;
  }
  const uint64_t began_ns = machine.now();
  clay::sleep_for(300);
  const bool waits = machine.idle_until() > began_ns; // in the queue for certain
  const bool were_on = hal_irq_save();
  event.signal();
  event.signal();
  hal_irq_restore(were_on);
  waiter.value().join();
  if (waits) {
    two_signals.hit();
    KILN_CHECK(event.is_set(), "of two signals an event forgets the one that nobody waited for");
  }
}

void check_manual_event() {
  clay::SharedEvent event{"alone-manual"};
  KILN_CHECK(!event.is_set() && !ready(event), "an event is set that nobody signalled");
  event.signal();
  KILN_CHECK(ready(event) && ready(event) && event.is_set(), "an event is reset by a wait");
  event.clear();
  KILN_CHECK(!event.is_set() && !ready(event), "an event is set that was cleared");
}

void check_semaphore() {
  clay::Semaphore semaphore{"alone", 1};
  KILN_CHECK(semaphore.acquire_until(hal_clock_ns()), "a permit that is there is refused");
  KILN_CHECK(!semaphore.try_acquire() && !semaphore.acquire_until(hal_clock_ns()),
             "a permit is given that is not there");
  semaphore.release(2);
  KILN_CHECK(semaphore.try_acquire() && semaphore.try_acquire(), "a permit was lost");
  KILN_CHECK(!semaphore.try_acquire(), "a permit is given that is not there");
}

void check_completion() {
  clay::Completion completion{"alone"};
  KILN_CHECK(!completion.done() && !ready(completion), "something is done that nobody did");
  completion.complete();
  completion.complete();
  KILN_CHECK(completion.done() && ready(completion) && ready(completion),
             "two completions do not let two waits through");
  KILN_CHECK(!completion.done() && !ready(completion), "two completions let three waits through");
  completion.complete_all();
  completion.complete();
  KILN_CHECK(ready(completion) && ready(completion) && completion.done(),
             "what is done for all is not");
}

void check_group() {
  clay::WaitGroup group{"alone"};
  KILN_CHECK(ready(group), "a group without members is waited for");
  group.add(2);
  KILN_CHECK(!ready(group), "a group of two is over before one is done");
  group.done();
  KILN_CHECK(!ready(group), "a group of two is over when one is done");
  group.done();
  KILN_CHECK(ready(group), "a group is not over when all are done");
}

void check_sleep(sim::Machine& machine) {
  const uint64_t began_ns = machine.now();
  clay::sleep_for(300);
  KILN_CHECK(machine.now() >= began_ns + 300, "a sleep of 300 ns took %llu",
             static_cast<unsigned long long>(machine.now() - began_ns));
}

} // namespace

void check_waits_alone(sim::Machine& machine, bool may_fail) {
  check_auto_event();
  check_two_signals(machine, may_fail);
  check_manual_event();
  check_semaphore();
  check_completion();
  check_group();
  check_sleep(machine);
}

} // namespace kiln::sync
