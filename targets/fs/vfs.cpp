// A VFS over ramfs mounts.
//
// Alone: a program of paths, open files and mounts against the model (worlds/fs/vfs_model.h): with
// dots, slashes and symlinks, with mounts in and over mounts, read-only ones and ones that are in
// use, with an allocation that fails. Every answer is compared; what was refused has changed
// nothing; in the end everything can be unmounted, and nothing is left.
//
// Over filesystems that fail: vfs_odd.cpp. Several tasks: vfs_tasks.cpp.

#include "targets/fs/vfs.h"

#include "sim/probe.h"
#include "targets/fs/shared_tree.h"
#include "targets/fs/vfs_probes.h"

namespace kiln::fs {
namespace {

using clay::RamFs;
using gen::FsAct;
using worlds::FsError;
using worlds::FsErrors;

const VfsProbes probes{kVfsTarget};
const sim::Probe kNoSpace{kVfsTarget, "no space is left"};
const sim::Probe kNotMade{kVfsTarget, "no memory for the VFS"};
const sim::Probe kEndBusy{kVfsTarget, "the root cannot be unmounted yet"};

void run_alone(sim::Run& run, VfsWorld& world) {
  auto data = run.tape.data();
  auto swarm = run.tape.swarm();
  gen::FsStyle style;
  style.odd_paths = true;
  style.thorough = true;
  style.weights[static_cast<size_t>(FsAct::kSymlink)] = swarm.boolean() ? 12 : 4;
  style.weights[static_cast<size_t>(FsAct::kStat)] = 6;
  style.weights[static_cast<size_t>(FsAct::kReadLink)] = 3;
  if (swarm.below(4) == 3) { // offsets up to the end of all files
    style.most_bytes = 0;
    style.edge_bytes = RamFs::kMostBytes;
  }
  VfsJudge judge(*world.vfs, world.shape, world.root->root().take());
  judge.alone = true;
  const sim::Exhibit exhibit(
      [](sim::Exhibitor& to, void* arg) { static_cast<VfsJudge*>(arg)->show(to, ""); }, &judge);
  gen::VfsDrawer drawer(run.tape, style);
  const bool fails = swarm.below(4) == 3;
  judge.driver.exact_paths = !fails && swarm.boolean();
  if (fails) world.failure.arm(run.tape.fault().below(64));
  for (unsigned step = 0; step < 40 && data.below(40) != 0; ++step) {
    judged_step(world, judge, drawer.operation());
    const auto aside = data.weighted({40, 3, 1});
    if (aside == 1) judge.check_all();
    if (aside == 2) {
      auto& model = judge.model.filesystems[0].model;
      model.read_only = !model.read_only;
      world.root->set_read_only(model.read_only);
    }
  }
  world.failure.disarm();
  judge.check_all();
  if (judge.model.is_busy(0)) {
    const auto ended = world.vfs->end();
    KILN_CHECK(ended.failed_with(clay::Error::kBusy), "the root is in use and its end gives %s",
               text_of(failure_of(ended)));
    kEndBusy.hit();
  }
  judge.let_go();
}

/// The filesystem, and the VFS over it. False: an allocation was made to fail.
bool make(VfsWorld& world) {
  auto made = RamFs::create(world.shape);
  if (!made.ok()) return false;
  world.root = made.take().leak();
  clay::Box<clay::FileSystem> root(world.root);
  auto vfs = clay::Vfs::create(root);
  if (!vfs.ok()) {
    KILN_CHECK(root, "the VFS fails and keeps the filesystem");
    return false;
  }
  world.vfs = vfs.take();
  return true;
}

void draw_shape(sim::Run& run, RamFs::Shape& shape) {
  const auto tight = run.tape.swarm().weighted({12, 1, 1, 2});
  auto data = run.tape.data();
  if (tight == 1) shape.blocks = data.below(12);
  if (tight == 2) shape.nodes = data.between(1, 12);
  if (tight == 3) shape.most_links = static_cast<uint32_t>(data.between(2, 5));
}

void run_target(sim::Run& run) {
  VfsWorld world;
  const auto kind = run.tape.swarm().below(128);
  if (kind >= 40 && kind < 92) {
    draw_shape(run, world.shape);
  }
  if (run.tape.fault().below(64) == 63) {
    world.failure.arm(run.tape.fault().below(6));
    const bool made = make(world);
    world.failure.disarm();
    if (!made) return kNotMade.hit();
  } else {
    KILN_CHECK(make(world), "a VFS cannot be made");
  }
  if (kind < 92) {
    run_alone(run, world);
  } else if (kind < 96) {
    run_vfs_odd(run, world);
  } else {
    run_vfs_tasks(run, world);
  }
  unmount_all(*world.vfs);
  const auto ended = world.vfs->end();
  KILN_CHECK(ended.ok(), "the root cannot be unmounted: %s", text_of(failure_of(ended)));
}

const sim::Target target{{
    .name = kVfsTarget,
    .purpose = "Paths, open files and mounts of a VFS over filesystems in memory, against a model.",
    .run = run_target,
    .gate_inputs = 20'000,
    .longest_tape = 2048,
    .tags = "fs",
}};

} // namespace

void judged_step(VfsWorld& world, VfsJudge& judge, const gen::VfsOperation& operation) {
  const worlds::VfsModel before = judge.model;
  const size_t done = judge.done.size();
  const uint64_t allocations = Failure::before();
  const Outcome outcome = judge.step(operation, [&]() -> FsErrors {
    FsErrors tolerated;
    if (world.failure.may_have_struck(allocations)) tolerated |= FsError::kNoMemory;
    if (world.is_tight() && operation.act != gen::VfsAct::kStreamRead) {
      tolerated |= FsError::kNoSpace;
    }
    return tolerated;
  });
  if (judge.done.size() == done) return;
  probes.note(before, operation, outcome.failure);
  if (outcome.failure == FsError::kNoSpace) kNoSpace.hit();
}

} // namespace kiln::fs
