// Random programs that arm, cancel and end timers from tasks, interrupts and the handlers
// themselves.
//
// Checks: no timer fires early, twice at the same time, after it was cancelled, or twice for one
// arming; none fires late while the machine has nothing to do; one that is armed and let be does
// fire; periods do not drift, and are skipped rather than caught up; a cancel that comes back means
// that no handler runs; what a timer says of itself is so where it is certain. At the end one task
// alone tries what a timer promises (timer_alone.h). The machine checks that none is left armed.
// Does not check the order of timers with one deadline.

#include <memory>
#include <vector>

#include "kernel-src/hal/time.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/sync/support.h"
#include "targets/sync/timer_alone.h"
#include "targets/sync/timer_model.h"

namespace kiln {
namespace {

using namespace sync;

constexpr const char* kTarget = "sync/timers";
sim::Probe many_due{kTarget, "more timers are due than one interrupt runs"};
sim::Probe ended_armed{kTarget, "a timer of a task's own is cancelled and ended"};
sim::Probe paid{kTarget, "a timer that was let be has fired at the end"};

constexpr unsigned kMostTasks = 4;
constexpr unsigned kTimers = 4;
constexpr unsigned kCrowd = 12;

enum class Act : uint8_t {
  kArm,
  kArmPeriodic,
  kCancel,
  kTryCancel,
  kLook,
  kSleep,
  kCrowd,
  kOwn,
  kRaise,
  kHandler,
};

struct Step {
  Act act;
  uint8_t timer;
  uint8_t cpu;
  InHandler handler;
  uint16_t time_ns;
};

struct Run {
  sim::Machine& machine;
  ModelTimer* timers;
  std::vector<Step> irq_program; ///< one step an interrupt, in turn
  unsigned irq_next = 0;
};

struct Program {
  Run* run;
  std::vector<Step> steps;
};

/// Many timers with one deadline; the task waits until all have fired.
void do_crowd(Run& run, const Step& step) {
  unsigned fired = 0;
  clay::Timer::Handler count = [](clay::Timer&, void* arg) { ++*static_cast<unsigned*>(arg); };
  std::vector<std::unique_ptr<clay::Timer>> timers;
  const uint64_t deadline_ns = hal_clock_ns() + step.time_ns;
  for (unsigned i = 0; i < kCrowd; ++i) {
    timers.push_back(std::make_unique<clay::Timer>("crowd", count, &fired));
    timers.back()->arm_at(deadline_ns);
  }
  if (fired == 0) {
    many_due.hit();
  }
  // When the clock is there the interrupts may still have to come; after a moment of idling not.
  for (unsigned i = 0; i < 50 && fired != kCrowd; ++i) {
    clay::sleep_until(deadline_ns + 100 * (i + 1));
    KILN_CHECK(fired == kCrowd || run.machine.idle_until() <= deadline_ns,
               "%u of %u timers have fired after their deadline", fired, kCrowd);
  }
  for (auto& timer : timers) {
    timer->cancel();
  }
}

void do_own(Run& run, const Step& step) {
  ModelTimer own(run.machine);
  own.set_handler(step.handler, 2, step.time_ns % 100);
  own.arm_at(hal_clock_ns() + step.time_ns);
  breathe(step.cpu);
  ended_armed.hit();
}

void do_step(Run& run, const Step& step, bool in_task) {
  ModelTimer& timer = run.timers[step.timer];
  switch (step.act) {
  case Act::kArm:
    return timer.arm_at(hal_clock_ns() + step.time_ns);
  case Act::kArmPeriodic:
    return timer.arm_periodic(hal_clock_ns() + step.time_ns, step.time_ns / 4 + kShortestPeriod);
  case Act::kCancel:
    return in_task ? timer.cancel() : timer.try_cancel();
  case Act::kTryCancel:
    return timer.try_cancel();
  case Act::kLook:
    return timer.look();
  case Act::kSleep:
    return in_task ? clay::sleep_for(step.time_ns) : breathe();
  case Act::kCrowd:
    return in_task ? do_crowd(run, step) : breathe();
  case Act::kOwn:
    return in_task ? do_own(run, step) : breathe();
  case Act::kRaise:
    // A handler that raised its own line would go on for ever.
    return in_task ? run.machine.raise_irq(step.cpu % run.machine.cpus(), kDeviceLine) : breathe();
  case Act::kHandler:
    return timer.set_handler(step.handler, 3, step.time_ns);
  }
}

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  for (const Step& step : program.steps) {
    do_step(*program.run, step, true);
  }
}

void run_irq(void* arg) {
  auto& run = *static_cast<Run*>(arg);
  if (!run.irq_program.empty()) {
    do_step(run, run.irq_program[run.irq_next++ % run.irq_program.size()], false);
  }
}

// --- Drawing

Step draw_step(sim::Tape& tape) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kActs[] = {8, 4, 3, 2, 1, 5, 1, 2, 3, 4};
  static constexpr uint16_t kHandlers[] = {2, 4, 2, 2, 2, 1};
  Step step{};
  step.act = static_cast<Act>(data.weighted(kActs));
  step.timer = static_cast<uint8_t>(data.below(kTimers));
  step.cpu = static_cast<uint8_t>(data.below(4));
  step.handler = static_cast<InHandler>(data.weighted(kHandlers));
  // Short ones often: deadlines that meet each other and what runs.
  step.time_ns = static_cast<uint16_t>(data.boolean() ? data.below(200) : data.below(3000));
  return step;
}

std::vector<Step> draw_steps(sim::Tape& tape, uint64_t count) {
  std::vector<Step> steps;
  steps.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    steps.push_back(draw_step(tape));
  }
  return steps;
}

// --- The run

/// Lets time go by until every timer that has to fire could.
void let_fire(Run& run) {
  for (unsigned i = 0; i < kTimers; ++i) {
    const uint64_t until_ns = run.timers[i].owes_until_ns();
    for (unsigned tries = 1; tries < 20 && run.timers[i].owes_until_ns() != 0; ++tries) {
      clay::sleep_until(until_ns + 100 * tries);
      if (run.machine.idle_until() > until_ns) {
        run.timers[i].check_paid();
      }
    }
    if (until_ns != 0) {
      paid.hit();
    }
  }
}

void run_target(sim::Run& sim_run) {
  const Shape shape = draw_shape(sim_run);
  auto data = sim_run.tape.data();
  ModelTimer timers[kTimers] = {ModelTimer(sim_run.machine), ModelTimer(sim_run.machine),
                                ModelTimer(sim_run.machine), ModelTimer(sim_run.machine)};
  Run run{sim_run.machine, timers, {}};
  std::vector<Program> programs(data.between(1, kMostTasks));
  for (Program& program : programs) {
    sim::Span span(sim_run.tape, "task");
    program = {&run, draw_steps(sim_run.tape, data.between(1, 10))};
  }
  run.irq_program = draw_steps(sim_run.tape, data.below(4));
  {
    Device device(run_irq, run_irq, &run);
    run_tasks<kMostTasks>(shape, "arms", run_program, programs);
  }
  let_fire(run);
  check_timer_alone(sim_run.machine);
}

sim::Target target{{
    .name = kTarget,
    .purpose = "Timers armed and cancelled from everywhere, with deadlines kept.",
    .run = run_target,
    .gate_inputs = 20'000,
    .longest_tape = 1024,
    .tags = "sync",
}};

} // namespace
} // namespace kiln
