// Several tasks on 1 to 4 CPUs, and interrupts in the middle of them, over one page allocator and
// its caches. Any of them gives back what another took.
//
// Checks what mm/pages does, as far as it holds while others go on: what is handed out is nobody
// else's and keeps its contents; refusals and books when nobody else was in the middle of anything;
// bounds of caches; at the end everything is back.

#include "targets/mm/page_world.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/pages-smp";
const PageProbes probes{kTarget};
const sim::Probe kAtOnce{kTarget, "three are in the allocators at once"};
const sim::Probe kInterrupted{kTarget, "an interrupt comes to the allocators in the middle of it"};

constexpr unsigned kMostTasks = 4;

struct Shared {
  PageWorld& world;
  std::vector<PageStep> irq_program; ///< one step an interrupt, in turn
  unsigned irq_next = 0;
};

struct Program {
  Shared* shared;
  std::vector<PageStep> steps;
};

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  PageWorld& world = program.shared->world;
  for (const PageStep& step : program.steps) {
    if (world.traffic().under_way >= 2) kAtOnce.hit();
    world.do_step(step, true);
  }
}

void run_irq(void* arg) {
  auto& shared = *static_cast<Shared*>(arg);
  if (shared.irq_program.empty()) {
    return;
  }
  if (!shared.world.traffic().quiet()) kInterrupted.hit();
  const size_t next = shared.irq_next++ % shared.irq_program.size();
  shared.world.do_step(shared.irq_program[next], false);
}

void run_target(sim::Run& run) {
  const sync::Shape shape = sync::draw_shape(run);
  run.machine.fail_allocation(UINT64_MAX); // not while the machine's memory is set up
  auto data = run.tape.data();
  PageWorld world(run, probes);
  Shared shared{world, {}};
  std::vector<Program> programs(data.between(1, kMostTasks));
  for (Program& program : programs) {
    sim::Span span(run.tape, "task");
    program = {&shared, draw_page_steps(run.tape, data.between(1, 10), By::kTask)};
  }
  shared.irq_program = draw_page_steps(run.tape, data.below(4), By::kInterrupt);
  if (shape.may_fail) {
    world.failure().arm(run.tape.fault().below(48));
  }
  {
    sync::Device device(run_irq, run_irq, &shared);
    sync::run_tasks<kMostTasks>(shape, "pages", run_program, programs);
  }
  world.finish();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "The page allocator and its caches from several CPUs and interrupts.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 1024,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
