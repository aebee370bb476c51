// Several tasks read, write, flush and discard through the request queue of a disk that misbehaves.
//
// Checks: each request is done once, not before the disk has let go of its memory, and with the
// right result (queue_watch.h); no read gives anything but what requests before it may have left,
// and nothing else is on the disk in the end (queue_model.h); what is durable survives when the
// power is cut, and whatever is pending when the disk is removed ends at once; a drain and a stop
// come back when everything is done, and nothing comes to the disk after a stop; answers that are
// none are counted.
//
// Not checked: that requests are merged whenever they could be, and which sector comes first.

#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/block/queue_world.h"
#include "targets/sync/support.h"

namespace kiln::block {
namespace {

constexpr const char* kTarget = "block/queue";
constexpr unsigned kMostTasks = 4;

const sim::Probe stopped_early{kTarget, "the queue is stopped while tasks go on"};
const sim::Probe last_sector{kTarget, "the disk ends with the last sector that there can be"};
const sim::Probe no_medium{kTarget, "the disk has no sectors"};

clay::BlockShape draw_shape(sim::Run& run, uint64_t* first, uint64_t sectors) {
  auto data = run.tape.data();
  static constexpr uint32_t kSectorBytes[] = {512, 512, 512, 512, 512, 520, 1024, 4096};
  static constexpr uint32_t kMostSectors[] = {8, 1, 2, 3, 5, 256};
  static constexpr uint32_t kMostSegments[] = {16, 1, 2, 3};
  clay::BlockShape shape;
  shape.sector_bytes = data.pick(kSectorBytes);
  shape.physical_bytes = shape.sector_bytes;
  shape.most_sectors = data.pick(kMostSectors);
  shape.most_segments = data.pick(kMostSegments);
  shape.volatile_cache = data.below(4) != 3;
  shape.has_durable_write = data.boolean();
  shape.has_discard = data.boolean();
  shape.read_only = data.below(16) == 15;
  const uint64_t firsts[] = {0, 0, 1000, (uint64_t{1} << 32) - 5, UINT64_MAX - sectors};
  *first = data.pick(firsts);
  shape.sectors = *first + sectors;
  if (shape.sectors == UINT64_MAX) last_sector.hit();
  return shape;
}

clay::QueueLimits draw_limits(sim::Run& run) {
  auto data = run.tape.data();
  static constexpr uint16_t kAdmitted[] = {64, 1, 2, 3, 4, 8};
  static constexpr uint16_t kPassed[] = {32, 0, 1, 2, 4};
  clay::QueueLimits limits;
  limits.slots = static_cast<uint16_t>(data.between(1, 4));
  limits.most_admitted = data.pick(kAdmitted);
  limits.most_passed = data.pick(kPassed);
  limits.command_ns = 100'000;
  return limits;
}

Temper draw_temper(sim::Run& run, bool eager) {
  auto fault = run.tape.fault();
  static constexpr uint32_t kDelays[] = {2'000, 0, 20'000, 90'000};
  Temper temper{};
  const uint16_t both = fault.u16(); // each with two bits, so that most disks have one or two
  const auto has = [both](unsigned n) { return (both >> (2 * n) & 3) == 3; };
  temper.at_once = has(0);
  temper.refuses = has(1);
  temper.silent = has(2);
  temper.late = has(3);
  temper.twice = has(4);
  temper.nonsense = has(5);
  temper.slow_reset = has(6);
  temper.failing_reset = has(7);
  temper.eager = eager;
  temper.delay_ns = run.tape.world().pick(kDelays);
  return temper;
}

struct Program {
  QueueWorld* world;
  std::vector<Step> steps;
};

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  program.world->run_steps(program.steps);
}

/// A drive without a medium: a device with nothing to read.
void run_no_medium(sim::Run& run, QueueWorld& world) {
  no_medium.hit();
  auto data = run.tape.data();
  const std::vector<Step> steps = draw_steps(run.tape, data.between(1, 5), 4);
  world.run_without_medium(steps);
  world.stop();
  world.destroy();
}

void run_target(sim::Run& run) {
  const sync::Shape machine = sync::draw_shape(run);
  auto data = run.tape.data();
  const uint64_t sectors = data.below(64) == 63 ? 0 : data.between(8, 40);
  WorldShape shape{};
  shape.rules.shape = draw_shape(run, &shape.first, sectors);
  if (sectors == 0) shape.rules.shape.sectors = shape.first = 0;
  shape.rules.limits = draw_limits(run);
  shape.temper = draw_temper(run, machine.device_any_time);
  shape.sectors = sectors;
  shape.may_fail = machine.may_fail;
  const uint64_t way = run.tape.fault().below(16);
  const bool removes = way == 15 || way == 14 || way == 11;
  const bool stops_early = way == 15 || way == 13;

  QueueWorld world(run, shape);
  if (!world.make()) return;
  if (sectors == 0) return run_no_medium(run, world);
  std::vector<Program> programs(data.between(1, kMostTasks));
  const uint32_t most = shape.rules.shape.sector_bytes > 1024 ? 4 : 12;
  for (Program& program : programs) {
    const sim::Span span(run.tape, "task");
    program = {&world, draw_steps(run.tape, data.between(1, 5), most)};
  }
  if (removes) world.remove_at(run.machine.now() + run.tape.fault().below(250'000));
  clay::Task tasks[kMostTasks];
  for (size_t i = 0; i < programs.size(); ++i) {
    tasks[i] = sync::start_task(machine, "user", run_program, &programs[i]);
  }
  if (stops_early) {
    stopped_early.hit();
    clay::sleep_for(run.tape.fault().below(100'000));
    world.stop();
  }
  sync::join_all(tasks, programs.size());
  if (!stops_early) world.stop();
  world.destroy();
  world.judge();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "The request queue of a disk, over a disk that misbehaves.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 2048,
    .tags = "block",
}};

} // namespace
} // namespace kiln::block
