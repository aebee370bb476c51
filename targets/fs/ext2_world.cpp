// What an input is like, and how it goes.

#include "targets/fs/ext2_world.h"

#include <array>
#include <utility>

#include "targets/fs/answer.h"
#include "targets/fs/ext2_probes.h"
#include "targets/sync/support.h"
#include "worlds/disk/show.h"

namespace kiln::fs {

using gen::FsAct;
using worlds::ext2::stock;

// --- What it is like

/// The lane is short: four bytes here, four for the kinds of faults.
Ext2World::Features Ext2World::draw_features(sim::Run& run) {
  auto swarm = run.tape.swarm();
  auto world = run.tape.world();
  Features out;
  out.cuts = swarm.below(16) != 0;
  const auto trouble = swarm.below(32);
  out.watched = trouble >= 8 && trouble < 18;
  out.errors = trouble >= 18 && trouble < 26;
  out.lies = trouble == 26 || trouble == 27;
  out.torn = trouble == 28;
  out.memory = trouble >= 29;
  const auto kind = swarm.below(32);
  out.long_files = kind == 20 || kind == 21;
  out.names = kind >= 22 && kind < 26;
  out.read_only = kind == 26;
  out.tasks = kind >= 27 ? static_cast<unsigned>(world.between(2, kMostTasks)) : 1;
  const auto end = swarm.below(32);
  out.usable = end >= 20 && end < 25;
  out.thorough = end >= 25;
  out.idempotent = end == 31;
  if (out.tasks > 1) {
    run.machine.set_cpus(static_cast<unsigned>(world.between(1, 3)));
    run.machine.allow_spurious_wakes(world.boolean());
  }
  return out;
}

/// Mostly the plain shape, fresh.
uint32_t Ext2World::draw_stock(sim::Run& run) {
  auto data = run.tape.data();
  const auto shape =
      data.boolean() ? static_cast<uint32_t>(data.below(worlds::ext2::kStockShapes)) : 0;
  const auto filling = static_cast<worlds::ext2::Filling>(data.weighted({3, 3, 1}));
  return worlds::ext2::stock_number(shape, filling);
}

worlds::DiskShape Ext2World::draw_shape(sim::Run& run, const worlds::ext2::Stock& stock) {
  auto world = run.tape.world();
  static constexpr uint32_t kSectors[] = {512, 1024, 2048, 4096};
  worlds::DiskShape shape;
  const uint32_t wanted = kSectors[world.weighted({12, 1, 1, 1})];
  shape.sector_bytes = wanted <= stock.shape.block_bytes ? wanted : 512;
  shape.physical_bytes = shape.sector_bytes;
  shape.sectors = stock.bytes.size() / shape.sector_bytes;
  shape.volatile_cache = world.below(8) != 7;
  shape.has_durable_write = world.below(4) != 3;
  shape.most_sectors = world.below(8) == 7 ? 1 : 256;
  return shape;
}

void Ext2World::draw_faults() {
  using worlds::fault_bit;
  using worlds::FaultKind;
  worlds::FaultMenu menu;
  if (features_.errors) {
    menu.kinds = fault_bit(FaultKind::kError) | fault_bit(FaultKind::kErrorPartly) |
                 fault_bit(FaultKind::kErrorDone) | fault_bit(FaultKind::kShort) |
                 fault_bit(FaultKind::kUnreadable) | fault_bit(FaultKind::kErrorTorn);
  }
  menu.horizon = 96;
  if (menu.kinds != 0) room_.faults.draw(run_.tape, menu);
  if (features_.lies) {
    auto fault = run_.tape.fault();
    worlds::FaultRule rule;
    rule.kind = FaultKind::kLyingFlush;
    rule.ops = worlds::ops_of(rule.kind);
    rule.skip = static_cast<uint32_t>(fault.below(8));
    rule.times = static_cast<uint32_t>(fault.between(1, 16));
    room_.faults.add(rule);
  }
}

gen::FsStyle Ext2World::draw_style() const {
  gen::FsStyle style;
  style.block_bytes = stock_.shape.block_bytes;
  style.most_length = 3 * style.block_bytes;
  style.usual_bytes = uint64_t{4} * style.block_bytes;
  style.most_bytes = uint64_t{16} * style.block_bytes;
  const auto weight = [&](FsAct act, uint16_t of) { style.weights[static_cast<size_t>(act)] = of; };
  weight(FsAct::kSync, 6);
  weight(FsAct::kSyncNode, 5);
  if (features_.long_files) style.most_bytes = 0;
  if (features_.names) {
    style.names = 8;
    weight(FsAct::kRename, 24);
    weight(FsAct::kLink, 12);
  }
  if (features_.read_only) weight(FsAct::kRemount, 0);
  if (features_.tasks > 1) {
    style.handles = false;
    style.most_depth = 2;
    weight(FsAct::kRemount, 0);
  }
  return style;
}

Ext2World::Ext2World(sim::Run& run)
    : run_(run), features_(draw_features(run)), stock_number_(draw_stock(run)),
      stock_(stock(stock_number_)), limits_(ext2_limits(stock_.shape)),
      room_(draw_shape(run, stock_), stock_), history_(stock_.model(limits_), stock_.numbers),
      drawer_(run.tape, draw_style()) {
  if (run.tape.world().below(4) == 3) room_.cached_blocks = 0; // as few as can be
  draw_faults();
}

// --- How it goes

void Ext2World::run() {
  auto data = run_.tape.data();
  if (features_.read_only) work_read_only();
  if (!mount_somehow()) return;
  take_hold();
  for (unsigned round = 0; round < kMostRounds; ++round) {
    arm_cut();
    watch();
    if (features_.memory && run_.tape.fault().below(4) == 3) {
      failure_.arm(run_.tape.fault().below(64));
    }
    work();
    cut_in_commit();
    const bool here = features_.cuts && run_.tape.fault().below(4) == 3;
    if (!powered() || !room_.is_mounted() || here) {
      go_down();
      if (!come_back()) return;
    }
    if (data.below(3) != 2) break;
  }
  finish();
}

void Ext2World::show(sim::Exhibitor& to, void* arg) {
  const auto& world = *static_cast<const Ext2World*>(arg);
  std::string words;
  for (const worlds::FsHistory& past : world.past_) {
    words += past.text() + "-- the power goes, and comes back\n";
  }
  words += world.history_.text();
  to.text("Operations", words);
  to.text("Model", world.history_.now().text());
  worlds::show_disk(world.room_.disk, to);
  if (world.judged_ >= world.cuts_.size()) return;
  const Cut& cut = world.cuts_[world.judged_];
  worlds::show_disk(worlds::Disk(world.room_.disk.shape(), cut.medium), to, "Disk after the cut",
                    "cut.img");
  to.text("When", "after state " + std::to_string(cut.moment.states - 1) + " of the model");
}

// --- Several tasks: each in a directory of its own

namespace {

struct Job {
  Ext2World* world;
  unsigned task;
  std::vector<gen::FsOperation> operations;
};

gen::FsPath below(unsigned task, const gen::FsPath& path) {
  gen::FsPath out = gen::FsPath{}.child(static_cast<gen::FsName>(task));
  for (unsigned i = 0; i < path.count; ++i) {
    out = out.child(path.names[i]);
  }
  return out;
}

} // namespace

void Ext2World::work_together() {
  std::array<std::vector<gen::FsOperation>, kMostTasks> programs;
  auto data = run_.tape.data();
  for (unsigned task = 0; task < features_.tasks; ++task) {
    gen::FsOperation home;
    home.act = FsAct::kMakeDirectory;
    home.path = gen::FsPath{}.child(static_cast<gen::FsName>(task));
    if (powered()) step(0, home);
    for (unsigned i = 0; i < 10 && data.below(16) != 0; ++i) {
      programs[task].push_back(drawer_.operation());
      gen::FsOperation& operation = programs[task].back();
      if (operation.act == FsAct::kSync) continue;
      const bool target = operation.act == FsAct::kSymlink;
      operation.path = below(task, operation.path);
      if (!target) operation.to = below(task, operation.to);
    }
  }
  static unsigned inside = 0;
  inside = 0;
  const auto run_job = [](void* arg) {
    Job& job = *static_cast<Job*>(arg);
    for (const gen::FsOperation& operation : job.operations) {
      if (!job.world->powered()) return;
      if (++inside == 2) probes.tasks_at_once.hit();
      job.world->step(job.task, operation);
      --inside;
    }
  };
  std::array<clay::Task, kMostTasks> tasks;
  std::array<Job, kMostTasks> jobs;
  for (unsigned task = 0; task < features_.tasks; ++task) {
    jobs[task] = {this, task, std::move(programs[task])};
    auto made = clay::Task::create("fs", run_job, &jobs[task]);
    if (made.ok()) tasks[task] = made.take();
  }
  for (clay::Task& task : tasks) {
    if (task) task.join();
  }
}

} // namespace kiln::fs
