// A cache of blocks over a disk that fails and loses power, against a model of every block.
//
// Checks: what is read is what was put there; nothing is written that need not be, nothing in the
// middle of an edit, nothing after it was forgotten; nothing of a stage before all that was dirty
// in lower ones is durable; a sync that succeeds has made durable what it owes, whatever failed
// before; errors have a cause; after a loss of power the disk holds what was promised, and no
// effect without its cause; once the disk works, nothing is lost. A task that is alone knows
// besides which blocks are in the cache, and what each call costs.

#include "targets/block/cache_world.h"

namespace kiln::block_cache {
namespace {

constexpr const char* kTarget = "block/cache";
constexpr unsigned kMostUsers = kMostTasks - 1;
const sim::Probe kAlone{kTarget, "one task uses the cache"};
const sim::Probe kTogether{kTarget, "four tasks use the cache"};

struct Program {
  World* world;
  std::vector<Step> steps;
};

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  Hands hands;
  program.world->start_task();
  for (const Step& step : program.steps) {
    program.world->do_step(hands, step);
  }
  program.world->let_go(hands);
}

void run_alone(sim::Run& run, const Features& features) {
  kAlone.hit();
  World world(run, features);
  auto data = run.tape.data();
  Hands hands;
  world.start_task();
  for (unsigned step = 0; step < 64 && data.below(48) != 0; ++step) {
    world.do_step(hands, draw_step(run.tape));
  }
  world.let_go(hands);
  world.finish();
}

void run_together(sim::Run& run, const Features& features, const sync::Shape& shape) {
  World world(run, features);
  auto data = run.tape.data();
  std::vector<Program> programs(data.between(2, kMostUsers));
  for (Program& program : programs) {
    sim::Span span(run.tape, "task");
    program.world = &world;
    for (uint64_t steps = data.between(1, 14); steps > 0; --steps) {
      program.steps.push_back(draw_step(run.tape));
    }
  }
  if (programs.size() == kMostUsers) kTogether.hit();
  sync::run_tasks<kMostUsers>(shape, "cache user", run_program, programs);
  world.start_task();
  world.finish();
}

/// One byte: the swarm lane is short.
Features draw_features(sim::Run& run, bool no_memory) {
  const uint8_t bits = run.tape.swarm().u8();
  Features features{};
  features.together = (bits & 1) != 0;
  features.slow = (bits & 2) != 0;
  features.faults = (bits & 0x0C) == 0x0C;
  features.cut = (bits & 0x30) == 0x30;
  features.write_back = features.together && (bits & 0xC0) == 0xC0;
  features.no_memory = no_memory;
  return features;
}

void run_target(sim::Run& run) {
  const sync::Shape shape = sync::draw_shape(run);
  run.machine.fail_allocation(UINT64_MAX); // not while the world is set up
  const Features features = draw_features(run, shape.may_fail);
  if (features.together) {
    run_together(run, features, shape);
  } else {
    run_alone(run, features);
  }
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "The block cache over a disk that fails and loses power, against a model.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 1024,
    .tags = "block",
}};

} // namespace
} // namespace kiln::block_cache
