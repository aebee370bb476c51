#pragma once
// Several tasks on 1 to 4 CPUs, and interrupts in the middle of them, over one world: the frame of
// the -smp targets whose world has do_step, traffic, failure and finish.

#include <vector>

#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/sync/support.h"

namespace kiln::mm {

inline constexpr unsigned kMostSmpTasks = 4;

/// As for locks; now and then all CPUs that there can be take part.
inline sync::Shape draw_smp_shape(sim::Run& run) {
  sync::Shape shape = sync::draw_shape(run);
  if (run.tape.swarm().below(32) == 31) {
    shape.cpus = sim::kMaxCpus;
    run.machine.set_cpus(shape.cpus);
  }
  return shape;
}

template <typename World, typename Step> class SmpRun {
 public:
  SmpRun(World& world, const sim::Probe& at_once, const sim::Probe& interrupted)
      : world_(world), at_once_(at_once), interrupted_(interrupted) {}

  /// draw_task() and draw_irq() give the steps of one task, and those of interrupts, one each in
  /// turn.
  template <typename DrawTask, typename DrawIrq>
  void run(sim::Run& run, const sync::Shape& shape, const char* name, DrawTask draw_task,
           DrawIrq draw_irq) {
    std::vector<Program> programs(run.tape.data().between(1, kMostSmpTasks));
    for (Program& program : programs) {
      sim::Span span(run.tape, "task");
      program = {this, draw_task()};
    }
    irq_program_ = draw_irq();
    if (shape.may_fail) {
      world_.failure().arm(run.tape.fault().below(48));
    }
    {
      sync::Device device(run_irq, run_irq, this);
      sync::run_tasks<kMostSmpTasks>(shape, name, run_program, programs);
    }
    world_.finish();
  }

 private:
  struct Program {
    SmpRun* all;
    std::vector<Step> steps;
  };

  static void run_program(void* arg) {
    auto& program = *static_cast<Program*>(arg);
    SmpRun& all = *program.all;
    for (const Step& step : program.steps) {
      if (all.world_.traffic().under_way >= 2) all.at_once_.hit();
      all.world_.do_step(step, true);
    }
  }

  static void run_irq(void* arg) {
    auto& all = *static_cast<SmpRun*>(arg);
    if (all.irq_program_.empty()) {
      return;
    }
    if (!all.world_.traffic().quiet()) all.interrupted_.hit();
    const size_t next = all.irq_next_++ % all.irq_program_.size();
    all.world_.do_step(all.irq_program_[next], false);
  }

  World& world_;
  const sim::Probe& at_once_;
  const sim::Probe& interrupted_;
  std::vector<Step> irq_program_;
  unsigned irq_next_ = 0;
};

} // namespace kiln::mm
