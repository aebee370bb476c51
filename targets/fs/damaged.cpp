// fs/ext2-damaged: ext2 images that lie.
//
// An image of any shape with a tree in it is sound, or something in its metadata is wrong: one lie
// of some eighty kinds, now and then more, also in an image that was not unmounted, so that
// recovery meets it. The kernel mounts it, everything is listed and read, a program of operations
// works on whatever is there, and it is unmounted.
//
// What must hold: nothing breaks and nothing hangs. An image that the checker (worlds/ext2) calls
// sound is taken whole: every name, number and byte is what the second reader reads, nothing is
// called corrupt, and after the work and an unmount it is sound again. What a cut leaves is put in
// order. Everything else may be refused, in words that fit; what is met as corrupt stops all
// writing, at once. A read-only mount writes nothing. No file comes to own metadata, and recovery
// leaves an image alone in which a block has two owners.

#include "sim/artefact.h"
#include "sim/machine.h"
#include "targets/fs/damaged_probes.h"
#include "targets/fs/damaged_world.h"

namespace kiln::fs {
namespace {

using gen::ext2::Lie;
using worlds::ext2::Problem;
using worlds::ext2::Verdict;

constexpr const char* kTarget = "fs/ext2-damaged";

#define X(name, text) {kTarget, "a lie about " text},
const sim::Probe kTold[] = {KILN_EXT2_TOLD_LIES(X)}; ///< by Lie, less kNone
#undef X

} // namespace

DamagedProbes::DamagedProbes(const char* target)
    : met_at_work{target, "work meets what is corrupt"},
      read_only_asked{target, "a read-only mount"},
      truncated{target, "a disk smaller than its filesystem"}, starved{target, "memory runs out"},
      sound_{target, "a sound image"}, recoverable_{target, "an image as a cut leaves it"},
      double_use_{target, "an image in which a block has two owners"},
      refused_corrupt_{target, "a mount says: corrupt"},
      refused_unsupported_{target, "a mount says: unsupported"},
      refused_invalid_{target, "a mount says: no ext2"},
      refused_truncated_{target, "a mount says: the device is too small"},
      mounted_sound_{target, "a sound image is mounted"},
      recovered_{target, "an image as a cut leaves it is mounted to be written"},
      mounted_damaged_{target, "a damaged image is mounted to be written"},
      recovery_gives_up_{target, "recovery leaves an image alone"},
      double_use_found_{target, "recovery finds a block with two owners"},
      unmounted_sound_{target, "a sound image is sound after work"},
      unmounted_recovered_{target, "an image as a cut leaves it is sound after work"} {}

void DamagedProbes::judged(const Verdict& verdict, Standing standing) const {
  if (verdict.sound()) sound_.hit();
  if (standing == Standing::kRecoverable) recoverable_.hit();
  if (verdict.double_use()) double_use_.hit();
}

void DamagedProbes::refused(clay::Error error) const {
  if (error == clay::Error::kCorrupt) refused_corrupt_.hit();
  if (error == clay::Error::kUnsupported) refused_unsupported_.hit();
  if (error == clay::Error::kInvalid) refused_invalid_.hit();
  if (error == clay::Error::kTruncated) refused_truncated_.hit();
  if (error == clay::Error::kNoMemory) starved.hit();
}

void DamagedProbes::mounted(const Verdict& verdict, Standing standing, bool read_only) const {
  if (verdict.sound()) mounted_sound_.hit();
  if (standing == Standing::kRecoverable && !read_only) recovered_.hit();
  if (standing == Standing::kDamaged && !read_only) mounted_damaged_.hit();
  if (standing == Standing::kDamaged && read_only) {
    recovery_gives_up_.hit();
    if (verdict.double_use()) double_use_found_.hit();
  }
}

void DamagedProbes::in_order_again(Standing standing) const {
  (standing == Standing::kSound ? unmounted_sound_ : unmounted_recovered_).hit();
}

namespace {
const DamagedProbes probes{kTarget};
} // namespace
const DamagedProbes& damaged_probes() { return probes; }

namespace {

constexpr gen::ext2::Bounds kBounds{.most_blocks = 512, .most_block_bytes = 4096, .most_nodes = 14};

/// One lie most often; 0: none.
std::vector<Lie> draw_lies(gen::ext2::Image& image, sim::Tape::View fault) {
  std::vector<Lie> lies;
  const size_t count = fault.weighted({3, 16, 2, 1});
  for (size_t i = 0; i < count; ++i) {
    const Lie lie = gen::ext2::draw_lie(image, fault);
    if (lie == Lie::kNone) continue;
    kTold[static_cast<size_t>(lie) - 1].hit();
    lies.push_back(lie);
  }
  if (fault.chance(1, 4) && gen::ext2::tell(image, Lie::kUnclean, fault)) {
    lies.push_back(Lie::kUnclean);
  }
  return lies;
}

worlds::DiskShape draw_disk(const gen::ext2::Image& image, sim::Tape& tape) {
  const uint32_t sizes[] = {512, 1024, image.block_bytes()};
  worlds::DiskShape shape;
  shape.sector_bytes = sizes[tape.data().weighted({12, 1, 1})];
  shape.physical_bytes = shape.sector_bytes;
  shape.sectors = image.size() / shape.sector_bytes;
  if (tape.fault().chance(1, 40)) {
    shape.sectors -= tape.fault().below(shape.sectors);
    probes.truncated.hit();
  }
  shape.read_only = tape.data().chance(1, 40);
  return shape;
}

void run(sim::Run& run) {
  gen::ext2::Made made = gen::ext2::draw_image(run.tape.data(), kBounds);
  std::vector<Lie> lies = draw_lies(made.image, run.tape.fault());
  if (sim::artefact_wanted()) run.machine.artefact(made.image.bytes());
  DamagedWorld world(made.image, draw_disk(made.image, run.tape));
  world.lies = std::move(lies);
  sim::Tape::View swarm = run.tape.swarm();
  DamagedWorld::Plan plan;
  plan.options.read_only = swarm.chance(1, 6);
  if (plan.options.read_only) probes.read_only_asked.hit();
  plan.options.cached_blocks = swarm.chance(1, 4) ? 32 : 256;
  plan.steps = static_cast<unsigned>(run.tape.data().below(13));
  if (run.tape.fault().chance(1, 12)) plan.fail_allocation = 1 + run.tape.fault().below(60);
  world.run(plan, run.tape.data());
}

// --- Real images

void feed(sim::Feed& feed) {
  constexpr size_t kSector = 512;
  worlds::DiskShape shape;
  shape.sectors = feed.bytes.size() / kSector;
  DamagedWorld world(gen::ext2::Image(1024, 0), shape);
  world.disk.lend(feed.bytes.first(static_cast<size_t>(shape.sectors) * kSector));
  world.run_in_words(feed.out);
}

sim::Target target{{
    .name = kTarget,
    .purpose = "ext2 on images that lie, beside a second reader and a checker.",
    .run = run,
    .feed = feed,
    .feed_takes = "an image of ext2",
    .feed_judge = "e2fsck -fn",
    .gate_inputs = 12'000,
    .longest_tape = 2048,
    .tags = "fs,ext2,parser",
}};

} // namespace
} // namespace kiln::fs
