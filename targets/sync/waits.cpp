// Tasks that wait for semaphores, completions, events, groups, sleeps and other tasks, with and
// without deadlines; and whoever supplies them: the main task, interrupts and soft IRQs.
//
// Everything that is waited for is supplied, by somebody who waits for nothing but time: so a
// program that does not end has lost a wake-up. Checks also that nothing is got that was not
// supplied, that what was supplied and not got is still there, that waits give up neither early nor
// late, that what was waited on may go as soon as the wait has returned, and that joining waits for
// the end. At the end one task alone tries what each thing promises (wait_alone.h).

#include <utility>
#include <vector>

#include "kernel-src/hal/time.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/sync/wait_alone.h"
#include "targets/sync/wait_world.h"

namespace kiln {
namespace {

using namespace sync;

constexpr const char* kTarget = "sync/waits";
sim::Probe slept_past{kTarget, "a sleeper runs some time after its deadline"};
sim::Probe join_gave_up{kTarget, "a timed join gives up"};
sim::Probe joined_ended{kTarget, "a task is joined that has ended already"};
sim::Probe detached{kTarget, "a task is detached while it runs"};
sim::Probe no_room{kTarget, "there is no room for another task"};

enum class Act : uint8_t { kGet, kSleep, kAskDevice, kChild, kYield, kFlood };

struct Step {
  Act act;
  Thing thing;
  uint8_t index;
  bool timed;
  uint16_t time_ns;
};

enum class From : uint8_t { kMain, kIrq, kSoftIrq };

struct Supply {
  Thing thing;
  uint8_t index;
  From from;
  uint8_t cpu;
  uint16_t pause_ns; ///< the main task sleeps that long first
  uint8_t units = 1; ///< of a semaphore, at once
};

struct Run {
  explicit Run(sim::Machine& m) : machine(m), things(m) {}
  sim::Machine& machine;
  WaitWorld things;
  std::vector<Supply> for_irq; ///< handed to the device, oldest first
  std::vector<Supply> for_soft_irq;
  unsigned children = 0; ///< that have not ended
  bool may_fail = false; ///< tasks may be missing
};

struct Waiter {
  Run* run;
  unsigned number;
  std::vector<Step> steps;
};

// --- Running

void sleep_checked(Run& run, uint64_t time_ns) {
  const uint64_t began_ns = run.machine.now();
  const uint64_t deadline_ns = hal_clock_ns() + time_ns;
  clay::sleep_until(deadline_ns);
  check_gave_up(run.machine, began_ns, deadline_ns, "a sleep");
  if (run.machine.now() > deadline_ns + 1000) {
    slept_past.hit();
  }
}

/// Whether a task has ended, asked by who has its handle: not before its body has returned, and
/// surely once the machine has idled since.
void check_ended(Run& run, const clay::Task& handle, const bool& done, uint64_t done_ns) {
  const bool surely = done && run.machine.idle_until() > done_ns;
  const bool ended = handle.ended();
  if (ended) {
    joined_ended.hit();
  }
  KILN_CHECK(ended || !surely, "a task is said to run that has ended");
  KILN_CHECK(!ended || done, "a task is said to have ended that runs");
}

/// A task of a task: joined with patience, joined, or left to itself.
void do_child(Run& run, const Step& step) {
  struct Child {
    Run* run;
    uint64_t time_ns;
    bool done = false;
    uint64_t done_ns = 0;
  } child{&run, step.time_ns};
  auto task = clay::Task::spawn("child", [&child] {
    sleep_checked(*child.run, child.time_ns);
    child.done_ns = child.run->machine.now();
    child.done = true;
  });
  KILN_CHECK(task.ok() || run.may_fail, "a child could not be made");
  if (!task.ok()) {
    return;
  }
  clay::Task handle = task.take();
  if (step.timed) {
    const uint64_t began_ns = run.machine.now();
    const uint64_t deadline_ns = hal_clock_ns() + step.index * 200;
    if (!handle.join_until(deadline_ns)) {
      join_gave_up.hit();
      KILN_CHECK(handle, "a timed join has given up and taken the handle");
      check_gave_up(run.machine, began_ns, deadline_ns, "a timed join");
    } else {
      KILN_CHECK(!handle && child.done, "a timed join came back before the task had ended");
    }
  }
  if (handle) {
    check_ended(run, handle, child.done, child.done_ns);
    handle.join();
  }
  KILN_CHECK(child.done, "a join came back before the task had ended");
}

/// A task that nobody joins: the run ends when it has.
void do_detached(Run& run, const Step& step) {
  Run* owner = &run;
  const uint64_t time_ns = step.time_ns;
  ++run.children;
  auto task = clay::Task::spawn("detached", [owner, time_ns] {
    sleep_checked(*owner, time_ns);
    --owner->children;
  });
  if (!task.ok()) {
    --run.children;
    return;
  }
  detached.hit();
  task.take().detach();
}

/// Tasks until there is no room for another one: whoever is refused must cope.
void do_flood() {
  std::vector<clay::Task> tasks;
  for (unsigned i = 0; i < 70; ++i) {
    auto task = clay::Task::spawn("flood", [] { breathe(); });
    if (!task.ok()) {
      no_room.hit();
      break;
    }
    tasks.push_back(task.take());
  }
  join_all(tasks.data(), tasks.size());
}

void do_step(Waiter& waiter, const Step& step) {
  Run& run = *waiter.run;
  switch (step.act) {
  case Act::kGet:
    run.things.get(step.thing, step.index, waiter.number,
                   step.timed ? hal_clock_ns() + step.time_ns : kHalNever);
    return;
  case Act::kSleep:
    return sleep_checked(run, step.time_ns);
  case Act::kAskDevice:
    return run.things.ask_device(static_cast<Answer::Kind>(step.time_ns % Answer::kKinds),
                                 step.index, step.timed);
  case Act::kChild:
    return step.index == 0 ? do_detached(run, step) : do_child(run, step);
  case Act::kYield:
    return hal_yield();
  case Act::kFlood:
    return do_flood();
  }
}

void run_waiter(void* arg) {
  auto& waiter = *static_cast<Waiter*>(arg);
  for (const Step& step : waiter.steps) {
    do_step(waiter, step);
  }
}

void supply_first(Run& run, std::vector<Supply>& queue) {
  if (!queue.empty()) {
    const Supply supply = queue.front();
    queue.erase(queue.begin());
    run.things.supply(supply.thing, supply.index, supply.units);
  }
}

void run_irq(void* arg) {
  auto& run = *static_cast<Run*>(arg);
  run.things.answer_all();
  supply_first(run, run.for_irq);
}

void run_soft_irq(void* arg) {
  auto& run = *static_cast<Run*>(arg);
  while (!run.for_soft_irq.empty()) {
    supply_first(run, run.for_soft_irq);
  }
}

void supply_all(Run& run, const std::vector<Supply>& supplies) {
  for (const Supply& supply : supplies) {
    if (supply.pause_ns != 0) {
      sleep_checked(run, supply.pause_ns);
    }
    switch (supply.from) {
    case From::kMain:
      run.things.supply(supply.thing, supply.index, supply.units);
      break;
    case From::kIrq:
      run.for_irq.push_back(supply);
      break;
    case From::kSoftIrq:
      run.for_soft_irq.push_back(supply);
      clay::raise_soft_irq(kDeviceSoftIrq);
      break;
    }
    // A line is one bit: it is raised until the device has seen everything.
    for (unsigned i = 0; !run.for_irq.empty() && i < 4; ++i) {
      run.machine.raise_irq(supply.cpu % run.machine.cpus(), kDeviceLine);
      breathe();
    }
  }
}

/// Whatever the device did not get to: interrupts on the main task's own CPU.
void finish_supply(Run& run) {
  while (!run.for_irq.empty()) {
    hal_irq_raise(hal_cpu_id(), kDeviceLine);
    breathe();
  }
}

// --- Drawing

Step draw_step(sim::Tape& tape) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kActs[] = {1000, 200, 200, 200, 100, 2};
  Step step{};
  step.act = static_cast<Act>(data.weighted(kActs));
  step.thing = static_cast<Thing>(data.below(static_cast<unsigned>(Thing::kKinds)));
  step.index = static_cast<uint8_t>(data.below(4));
  step.timed = data.boolean();
  step.time_ns = static_cast<uint16_t>(data.below(3000));
  return step;
}

std::vector<Waiter> draw_waiters(sim::Tape& tape, Run& run) {
  auto data = tape.data();
  std::vector<Waiter> waiters(data.between(1, kMostWaiters));
  for (unsigned i = 0; i < waiters.size(); ++i) {
    sim::Span span(tape, "task");
    waiters[i] = {&run, i, {}};
    const auto steps = data.between(1, 6);
    for (uint64_t n = 0; n < steps; ++n) {
      waiters[i].steps.push_back(draw_step(tape));
    }
  }
  return waiters;
}

Supply draw_supply(sim::Tape& tape, Thing thing, unsigned index) {
  sim::Span span(tape, "supply");
  auto data = tape.data();
  static constexpr uint16_t kFrom[] = {2, 2, 1};
  Supply supply{};
  supply.thing = thing;
  supply.index = static_cast<uint8_t>(index);
  supply.units = thing == Thing::kSemaphore ? static_cast<uint8_t>(data.between(1, 3)) : uint8_t{1};
  supply.from = static_cast<From>(data.weighted(kFrom));
  supply.cpu = static_cast<uint8_t>(data.below(4));
  supply.pause_ns = data.boolean() ? static_cast<uint16_t>(data.below(1500)) : uint16_t{0};
  return supply;
}

/// One supply for every wait (one in all for the gate, up to three for the group), in any order.
std::vector<Supply> draw_supplies(sim::Tape& tape, Run& run, const std::vector<Waiter>& waiters) {
  std::vector<Supply> supplies;
  for (const Waiter& waiter : waiters) {
    for (const Step& step : waiter.steps) {
      if (step.act == Act::kGet && step.thing < Thing::kGate) {
        const unsigned index = step.thing == Thing::kOwnEvent ? waiter.number : step.index;
        supplies.push_back(draw_supply(tape, step.thing, index));
      }
    }
  }
  supplies.push_back(draw_supply(tape, Thing::kGate, 0));
  const auto members = static_cast<unsigned>(tape.data().below(4));
  for (unsigned i = 0; i < members; ++i) {
    supplies.push_back(draw_supply(tape, Thing::kGroup, 0));
  }
  run.things.expect_group(members);
  for (size_t i = 0; i + 1 < supplies.size(); ++i) {
    std::swap(supplies[i], supplies[i + tape.data().below(supplies.size() - i)]);
  }
  return supplies;
}

// --- The run

void wait_for_children(const Run& run) {
  while (run.children != 0) {
    clay::sleep_for(1000);
  }
}

bool floods(const std::vector<Waiter>& waiters) {
  for (const Waiter& waiter : waiters) {
    for (const Step& step : waiter.steps) {
      if (step.act == Act::kFlood) {
        return true;
      }
    }
  }
  return false;
}

void run_target(sim::Run& sim_run) {
  Shape shape = draw_shape(sim_run);
  Run run(sim_run.machine);
  std::vector<Waiter> waiters = draw_waiters(sim_run.tape, run);
  shape.may_fail |= floods(waiters);
  run.may_fail = shape.may_fail;
  const std::vector<Supply> supplies = draw_supplies(sim_run.tape, run, waiters);
  {
    Device device(run_irq, run_soft_irq, &run);
    clay::Task tasks[kMostWaiters];
    for (size_t i = 0; i < waiters.size(); ++i) {
      tasks[i] = start_task(shape, "waiter", run_waiter, &waiters[i]);
    }
    supply_all(run, supplies);
    finish_supply(run);
    join_all(tasks, waiters.size());
    wait_for_children(run);
  }
  run.things.check_left();
  check_waits_alone(sim_run.machine, shape.may_fail);
}

sim::Target target{{
    .name = kTarget,
    .purpose = "Waiting for everything a task can wait for, with and without deadlines.",
    .run = run_target,
    .gate_inputs = 20'000,
    .longest_tape = 1024,
    .tags = "sync",
}};

} // namespace
} // namespace kiln
