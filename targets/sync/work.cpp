// Random programs over work queues, delayed work, soft IRQs, calls to other CPUs, interrupt lines
// that come and go, and counted references.
//
// Checks: every accepted item runs once or is cancelled; none runs twice at the same time or after
// its cancel_sync; a flush that comes back means that what was queued is done; nothing is refused
// without a reason; delayed items are not early; a call to a CPU runs there, in an interrupt, once;
// a raised soft IRQ runs, and not inside another; a disconnected handler runs no more; a counted
// object ends with its last reference; items run in the order in which they were queued; a drain
// that comes back means that what was queued is done. At the end one task alone tries what each
// promises (work_alone.h).

#include <vector>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/wait_group.h"
#include "kernel-src/task/cross_call.h"
#include "kernel-src/task/ref.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/sync/support.h"
#include "targets/sync/work_alone.h"
#include "targets/sync/work_model.h"

namespace kiln {
namespace {

using namespace sync;

constexpr const char* kTarget = "sync/work";
sim::Probe called_other{kTarget, "a function runs on another CPU"};
sim::Probe many_calls{kTarget, "more calls are sent than one interrupt runs"};
sim::Probe soft_again{kTarget, "a soft IRQ raises itself"};
sim::Probe soft_in_task{kTarget, "soft IRQs have been handed over to a task"};
sim::Probe line_gone{kTarget, "an interrupt line is disconnected while it may be raised"};
sim::Probe line_waits{kTarget, "a line is disconnected while its handler runs"};
sim::Probe line_contested{kTarget, "two tasks want one interrupt line"};
sim::Probe strays_together{kTarget, "interrupts without a handler on several CPUs"};
sim::Probe stopped_full{kTarget, "a queue is stopped with items in it"};
sim::Probe last_in_work{kTarget, "a handler drops the last reference"};
sim::Probe found_ending{kTarget, "an object is found whose last reference has been dropped"};

constexpr unsigned kMostTasks = 4;
constexpr unsigned kItems = 4; ///< the first half on the system's queue, the rest on the run's own
constexpr unsigned kComingLine = 9;
constexpr unsigned kContestedLine = 10;
constexpr unsigned kEmptyLine = 11;

enum class Act : uint8_t {
  kQueue,
  kCancel,
  kCancelSync,
  kFlush,
  kFlushUntil,
  kHandler,
  kSleep,
  kRaise,
  kSoft,
  kCall,
  kDelayed,
  kLine,
  kShare,
  kDrain,
};

struct Step {
  Act act;
  uint8_t item;
  uint8_t cpu;
  InWork handler;
  uint16_t time_ns;
};

struct Run {
  explicit Run(sim::Machine& m) : machine(m) {}
  sim::Machine& machine;
  clay::WorkQueue queue{"own-work"};
  bool started = false; ///< the run's own queue
  ModelWork* items = nullptr;
  std::vector<Step> irq_program;
  unsigned irq_next = 0;
  bool settling = false;   ///< interrupts do nothing any more
  unsigned soft_again = 0; ///< times that the soft IRQ raises itself
  bool soft_inside[sim::kMaxCpus] = {};
  bool soft_owed[sim::kMaxCpus] = {};
  bool line_connected = false;
  unsigned line_inside = 0; ///< handlers running
  unsigned line_users = 0;  ///< tasks that have to do with the coming line
  unsigned line_holders = 0;
};

struct Program {
  Run* run;
  std::vector<Step> steps;
};

// --- Calls to other CPUs

void do_call(Run& run, unsigned cpu) {
  struct Call {
    unsigned cpu;
    unsigned runs = 0;
  } call{cpu};
  const clay::Result<> done = clay::run_on_cpu(
      cpu,
      [](void* arg) {
        auto& c = *static_cast<Call*>(arg);
        KILN_CHECK(hal_cpu_id() == c.cpu && in_interrupt(), "a call runs on another CPU");
        breathe(2);
        ++c.runs;
      },
      &call);
  const bool there = cpu < run.machine.cpus();
  KILN_CHECK(done.ok() == there && call.runs == (there ? 1u : 0u),
             "a call to CPU %u of %u ran %u times", cpu, run.machine.cpus(), call.runs);
  if (cpu != 0 && there) {
    called_other.hit();
  }
}

/// More calls at a time than one interrupt runs; the task waits until all have run.
void do_calls(Run& run, unsigned cpu) {
  struct Calls {
    clay::CrossCall calls[12];
    clay::WaitGroup left{"calls"};
  } calls;
  calls.left.add(12);
  many_calls.hit();
  for (auto& call : calls.calls) {
    call.run = [](void* arg) { static_cast<clay::WaitGroup*>(arg)->done(); };
    call.arg = &calls.left;
    KILN_CHECK(clay::send_cross_call(cpu % run.machine.cpus(), call).ok(), "a call is refused");
  }
  calls.left.wait();
}

// --- Soft IRQs

void run_soft_irq(void* arg) {
  auto& run = *static_cast<Run*>(arg);
  const unsigned cpu = hal_cpu_id();
  KILN_CHECK(in_soft_irq() && hal_irqs_on(), "a soft IRQ runs in the wrong context");
  KILN_CHECK(!run.soft_inside[cpu], "a soft IRQ runs inside another");
  run.soft_inside[cpu] = true;
  run.soft_owed[cpu] = false;
  breathe(2);
  run.items[0].queue();
  if (run.soft_again != 0) {
    --run.soft_again;
    soft_again.hit();
    run.soft_owed[cpu] = true;
    clay::raise_soft_irq(kDeviceSoftIrq);
  }
  KILN_CHECK(hal_cpu_id() == cpu, "a soft IRQ has moved to another CPU");
  run.soft_inside[cpu] = false;
  if (clay::soft_irq_hand_overs() != 0) {
    soft_in_task.hit();
  }
}

void do_soft(Run& run, const Step& step) {
  run.soft_again += step.time_ns % 8;
  const bool were_on = hal_irq_save(); // stays on this CPU from the note to the raise
  run.soft_owed[hal_cpu_id()] = true;
  clay::raise_soft_irq(kDeviceSoftIrq);
  hal_irq_restore(were_on);
}

// --- A line that comes and goes. One task at a time has it.

/// Any number of tasks at once: one of them gets the line.
void contest_line(Run& run) {
  const clay::InterruptHandler handler{[](unsigned, void*) {}, nullptr};
  const clay::Result<> connected = clay::connect_interrupt(kContestedLine, handler);
  if (!connected.ok()) {
    KILN_CHECK(connected.failed_with(clay::Error::kBusy), "a line is refused for another reason");
    line_contested.hit();
    return;
  }
  KILN_CHECK(run.line_holders == 0, "two tasks have connected one line");
  ++run.line_holders;
  breathe(4);
  --run.line_holders;
  clay::disconnect_interrupt(kContestedLine);
}

void do_line(Run& run, const Step& step) {
  if (step.item % 2 != 0 || run.line_users != 0) {
    return contest_line(run);
  }
  ++run.line_users;
  run.line_connected = true;
  const clay::InterruptHandler handler{[](unsigned, void* arg) {
                                         KILN_CHECK(static_cast<Run*>(arg)->line_connected,
                                                    "a handler runs that is disconnected");
                                         ++static_cast<Run*>(arg)->line_inside;
                                         breathe(12);
                                         --static_cast<Run*>(arg)->line_inside;
                                         KILN_CHECK(static_cast<Run*>(arg)->line_connected,
                                                    "a disconnect did not wait for the handler");
                                       },
                                       &run};
  KILN_CHECK(clay::connect_interrupt(kComingLine, handler).ok(), "a free line is refused");
  KILN_CHECK(clay::connect_interrupt(kComingLine, handler).failed_with(clay::Error::kBusy),
             "a line is connected twice");
  for (unsigned i = 0; i < run.machine.cpus(); ++i) {
    run.machine.raise_irq((step.cpu + i) % run.machine.cpus(), kComingLine);
    breathe(2);
  }
  if (run.line_inside != 0) {
    line_waits.hit();
  }
  clay::disconnect_interrupt(kComingLine);
  run.line_connected = false;
  line_gone.hit();
  breathe(2);
  --run.line_users;
}

// --- References

class Shared;
constinit clay::LockClass registry_class{"work-registry"};

/// Where a shared object can be found by who has no reference to it.
struct Registry {
  clay::IrqSpinLock lock{registry_class};
  Shared* object = nullptr; ///< guarded by lock
  unsigned alive = 0;
};

class Shared : public clay::RefCounted<Shared> {
 public:
  explicit Shared(Registry& registry) : registry_(registry) {
    clay::IrqSpinGuard guard(registry_.lock);
    registry_.object = this;
    ++registry_.alive;
  }
  ~Shared() {
    clay::IrqSpinGuard guard(registry_.lock);
    registry_.object = nullptr;
    --registry_.alive;
  }
  unsigned value = 7;

 private:
  Registry& registry_;
};

/// A reference to the object, unless the last one has been dropped: then it is on its way out.
void find_shared(Registry& registry) {
  clay::Ref<Shared> found;
  {
    clay::IrqSpinGuard guard(registry.lock);
    if (registry.object != nullptr && registry.object->try_add_ref()) {
      found = clay::Ref<Shared>::adopt(registry.object);
    } else if (registry.object != nullptr) {
      found_ending.hit();
    }
  }
  breathe(2);
  KILN_CHECK(!found || found->value == 7, "a reference was given to an object that is gone");
}

/// An object that a task and a work item share; whoever comes last ends it.
void do_share(Run& run) {
  Registry registry;
  auto made = clay::make_ref<Shared>(kHalAllocMayWait, registry);
  if (!made.ok()) {
    return;
  }
  clay::Ref<Shared> mine = made.take();
  {
    clay::Ref<Shared> theirs = mine;
    clay::Work work{clay::system_work(), "share",
                    [](clay::Work&, void* arg) {
                      auto& ref = *static_cast<clay::Ref<Shared>*>(arg);
                      KILN_CHECK(ref->value == 7, "a shared object is gone");
                      if (ref->ref_count() == 1) {
                        last_in_work.hit();
                      }
                      ref.reset();
                    },
                    &theirs};
    work.queue();
    KILN_CHECK(mine->value == 7 && registry.alive == 1, "a shared object is gone");
    mine.reset();
    breathe(static_cast<unsigned>(run.machine.cpus()));
    find_shared(registry);
    work.flush();
    work.cancel_sync();
  }
  KILN_CHECK(registry.alive == 0, "an object is there after its last reference");
}

void do_delayed(Run& run, const Step& step) {
  ModelDelayed delayed(run.machine, clay::system_work());
  delayed.set_again(step.item / 2);
  delayed.queue_at(hal_clock_ns() + step.time_ns);
  breathe(step.cpu);
  if (step.cpu == 4) {
    delayed.cancel();
  }
  if (step.item % 2 == 0) {
    clay::sleep_for(step.time_ns);
  }
  delayed.cancel_sync();
  if (step.item >= 2) {
    clay::sleep_for(300); // what its handler had queued again would run here
  }
  delayed.queue_at(hal_clock_ns() + step.time_ns / 2u);
}

/// Drains one queue. What was queued on it before is done then.
void do_drain(Run& run, bool of_system) {
  const unsigned first = of_system || !run.started ? 0 : kItems / 2;
  const unsigned behind = of_system && run.started ? kItems / 2 : kItems;
  unsigned queued[kItems] = {};
  for (unsigned i = first; i < behind; ++i) {
    queued[i] = run.items[i].queued();
  }
  (first == 0 ? clay::system_work() : run.queue).drain();
  for (unsigned i = first; i < behind; ++i) {
    run.items[i].check_drained(queued[i]);
  }
}

// --- Running

void do_anywhere(Run& run, const Step& step) {
  ModelWork& item = run.items[step.item];
  switch (step.act) {
  case Act::kQueue:
    return item.queue();
  case Act::kCancel:
    return item.cancel();
  case Act::kHandler: {
    // Items of the run's own queue queue those of the system's, not the other way round.
    ModelWork* other = step.item >= kItems / 2 ? &run.items[step.cpu % 2] : nullptr;
    return item.set_handler(step.handler, 3, step.time_ns, other);
  }
  default:
    return do_soft(run, step);
  }
}

void do_in_task(Run& run, const Step& step) {
  ModelWork& item = run.items[step.item];
  switch (step.act) {
  case Act::kCancelSync:
    return item.cancel_sync();
  case Act::kFlush:
    return item.flush();
  case Act::kFlushUntil:
    return item.flush_until(step.time_ns);
  case Act::kSleep:
    return clay::sleep_for(step.time_ns);
  case Act::kRaise:
    return run.machine.raise_irq(step.cpu % run.machine.cpus(), kDeviceLine);
  case Act::kCall:
    return step.item == 3 ? do_calls(run, step.cpu) : do_call(run, step.cpu);
  case Act::kDelayed:
    return do_delayed(run, step);
  case Act::kLine:
    return do_line(run, step);
  case Act::kShare:
    return do_share(run);
  case Act::kDrain:
    return do_drain(run, step.item < kItems / 2);
  default:
    return do_anywhere(run, step);
  }
}

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  for (const Step& step : program.steps) {
    do_in_task(*program.run, step);
  }
}

void run_irq(void* arg) {
  auto& run = *static_cast<Run*>(arg);
  if (!run.settling && !run.irq_program.empty()) {
    do_anywhere(run, run.irq_program[run.irq_next++ % run.irq_program.size()]);
  }
}

// --- Drawing

std::vector<Step> draw_steps(sim::Tape& tape, uint64_t count) {
  static constexpr uint16_t kActs[] = {10, 2, 3, 3, 2, 4, 2, 3, 2, 2, 2, 2, 2, 1};
  static constexpr uint16_t kHandlers[] = {2, 3, 2, 2};
  std::vector<Step> steps;
  for (uint64_t i = 0; i < count; ++i) {
    sim::Span span(tape, "step");
    auto data = tape.data();
    Step step{};
    step.act = static_cast<Act>(data.weighted(kActs));
    step.item = static_cast<uint8_t>(data.below(kItems));
    step.cpu = static_cast<uint8_t>(data.below(5));
    step.handler = static_cast<InWork>(data.weighted(kHandlers));
    step.time_ns = static_cast<uint16_t>(data.below(1000));
    steps.push_back(step);
  }
  return steps;
}

// --- The run

void start_queue(Run& run, const Shape& shape) {
  run.started = run.queue.start().ok();
  KILN_CHECK(run.started || shape.may_fail, "a work queue could not be started");
}

/// One on each CPU, at the same time: each is counted.
void check_strays(Run& run) {
  const uint64_t raised_ns = run.machine.now();
  const uint32_t before = clay::stray_interrupts();
  for (unsigned cpu = 0; cpu < run.machine.cpus(); ++cpu) {
    run.machine.raise_irq(cpu, kEmptyLine);
  }
  if (run.machine.cpus() > 1) strays_together.hit();
  clay::sleep_for(1000);
  const uint32_t counted = clay::stray_interrupts() - before;
  KILN_CHECK(counted == run.machine.cpus() || run.machine.idle_until() <= raised_ns,
             "of %u stray interrupts %u are counted", run.machine.cpus(), counted);
}

/// Lets what is queued run, and the soft IRQs that were raised.
void settle(Run& run, ModelWork (&items)[kItems]) {
  for (auto& item : items) {
    item.set_handler(InWork::kNothing, 0, 0, nullptr);
  }
  run.soft_again = 0;
  run.settling = true;
  clay::system_work().drain();
  if (run.started) {
    run.items[kItems - 1].queue();
    stopped_full.hit();
    items[kItems - 2].expect_stop();
    items[kItems - 1].expect_stop();
    run.queue.stop();
  }
  const uint64_t settled_ns = run.machine.now();
  clay::sleep_for(1000); // whoever is on the way gets there, if the machine comes to idle
  for (unsigned cpu = 0; cpu < run.machine.cpus(); ++cpu) {
    KILN_CHECK(!run.soft_owed[cpu] || run.machine.idle_until() <= settled_ns,
               "a soft IRQ was raised on CPU %u and did not run", cpu);
  }
  check_strays(run);
}

void run_target(sim::Run& sim_run) {
  const Shape shape = draw_shape(sim_run);
  auto data = sim_run.tape.data();
  Run run(sim_run.machine);
  start_queue(run, shape);
  clay::WorkQueue& own = run.started ? run.queue : clay::system_work();
  WorkOrder orders[2];
  WorkOrder& own_order = orders[run.started ? 1 : 0];
  ModelWork items[kItems] = {{run.machine, clay::system_work(), orders[0]},
                             {run.machine, clay::system_work(), orders[0]},
                             {run.machine, own, own_order},
                             {run.machine, own, own_order}};
  run.items = items;
  std::vector<Program> programs(data.between(1, kMostTasks));
  for (Program& program : programs) {
    sim::Span span(sim_run.tape, "task");
    program = {&run, draw_steps(sim_run.tape, data.between(1, 8))};
  }
  run.irq_program = draw_steps(sim_run.tape, data.below(4));
  {
    Device device(run_irq, run_soft_irq, &run);
    run_tasks<kMostTasks>(shape, "worker", run_program, programs);
    settle(run, items);
  }
  clay::system_work().drain();
  for (const ModelWork& item : items) {
    item.check_settled();
  }
  check_work_alone(run.machine, shape.may_fail);
}

sim::Target target{{
    .name = kTarget,
    .purpose = "Work queues, soft IRQs, calls between CPUs, lines and references.",
    .run = run_target,
    .gate_inputs = 20'000,
    .longest_tape = 1024,
    .tags = "sync",
}};

} // namespace
} // namespace kiln
