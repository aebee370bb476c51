// The page tables of one address space, changed by one task and used at any moment by 1 to 4 CPUs:
// by tasks and by interrupts in the middle of an operation.
//
// Checks what mm/pagetable does; an access in the middle of an operation sees the old state or the
// new one where it changes something, and the old one elsewhere; no table goes back while a CPU may
// still use it.

#include "targets/mm/smp.h"
#include "targets/mm/table_world.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/pagetable-smp";
const TableProbes probes{kTarget};
const sim::Probe kAsked{kTarget, "a CPU is asked to forget while it waits for answers"};
const sim::Probe kInTheMiddle{kTarget, "a CPU uses the tables while they are changed"};

constexpr unsigned kMostUsers = 3;

struct Program {
  TableWorld* world;
  std::vector<TableStep> steps;
  unsigned next = 0;
};

void use(Program& program) {
  if (!program.steps.empty()) {
    if (program.world->busy()) kInTheMiddle.hit();
    const TableStep& step = program.steps[program.next++ % program.steps.size()];
    step.act == TableAct::kWindow ? program.world->use_window(step) : program.world->access(step);
  }
}

void run_user(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  for (size_t i = 0; i < 4 * program.steps.size(); ++i) {
    use(program);
    sync::breathe(2);
  }
}

void run_irq(void* arg) { use(*static_cast<Program*>(arg)); }

void run_target(sim::Run& run) {
  const sync::Shape shape = draw_smp_shape(run);
  run.machine.fail_allocation(UINT64_MAX); // not while the machine's memory is set up
  auto data = run.tape.data();
  TableWorld world(run, probes);
  world.tell_when_asked(kAsked);
  Program irq{&world, draw_table_steps(run.tape, data.below(6), world.physical_bits())};
  std::vector<Program> users(data.below(kMostUsers + 1));
  for (Program& user : users) {
    sim::Span span(run.tape, "user");
    user = {&world, draw_table_steps(run.tape, data.between(1, 6), world.physical_bits())};
  }
  {
    sync::Device device(run_irq, run_irq, &irq);
    clay::Task tasks[kMostUsers];
    for (size_t i = 0; i < users.size(); ++i) {
      tasks[i] = sync::start_task(shape, "user", run_user, &users[i]);
    }
    world.arm(shape.may_fail, run.tape.fault().below(24));
    for (unsigned step = 0; step < 16 && data.below(20) != 0; ++step) {
      world.do_step(draw_table_step(run.tape, world.physical_bits()));
    }
    sync::join_all(tasks, users.size());
  }
  world.finish();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "Page tables changed under the hands of several CPUs that use them.",
    .run = run_target,
    .gate_inputs = 4'000,
    .longest_tape = 1536,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
