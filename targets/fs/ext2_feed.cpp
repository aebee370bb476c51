#include "targets/fs/ext2_feed.h"

#include <utility>

#include "sim/machine.h"
#include "targets/fs/answer.h"
#include "targets/fs/damaged_work.h"
#include "targets/fs/damaged_world.h"
#include "targets/fs/ext2_disk.h"
#include "targets/fs/ext2_harm.h"
#include "worlds/disk/show.h"

namespace kiln::fs {
namespace {

using worlds::ext2::Verdict;

constexpr size_t kSector = 512;
constexpr unsigned kOperations = 40;
constexpr unsigned kCuts = 12;
constexpr uint64_t kMostSectors = 160; ///< that are written before a cut

worlds::DiskShape shape_of(std::span<const uint8_t> image) {
  worlds::DiskShape shape;
  shape.sectors = image.size() / kSector;
  return shape;
}

/// Work on an image that is in order, of which the power goes in the middle; then recovery.
class CutWork {
 public:
  CutWork(std::span<const uint8_t> image, unsigned round)
      : tape_({.target = "fs/ext2", .seed = round, .iteration = 0, .longest = 4096}),
        room_(shape_of(image), worlds::Medium(image.size() / kSector, kSector)) {
    room_.disk.lend(image.first(image.size() / kSector * kSector));
  }

  /// Whether the power has gone in the work, and not at its end.
  bool run() {
    sim::machine().got_further();
    auto fault = tape_.fault();
    room_.disk.cut_after(fault.below(kMostSectors), tape_);
    const auto mounted = room_.mount();
    if (mounted.ok()) work();
    const bool in_work = !room_.disk.powered();
    if (!in_work) room_.disk.cut(fault);
    if (room_.is_mounted()) static_cast<void>(room_.unmount());
    room_.disk.power_on();
    check_recovery();
    return in_work;
  }

 private:
  void work() {
    Honesty honesty(room_.fs(), true, false);
    honesty.may_lose_device();
    DamagedTree tree(room_.fs(), honesty, nullptr);
    tree.look();
    DamagedWork work(room_.fs(), honesty, tree);
    for (unsigned i = 0; i < kOperations && room_.disk.powered(); ++i) {
      sim::machine().got_further();
      work.step(tape_.data());
    }
  }

  void check_recovery() {
    sim::machine().got_further();
    const auto image = view_of(room_.disk.medium());
    const Verdict& before = checker_.check(image);
    if (const auto harm = harm_of_cut(before, image)) {
      KILN_CHECK(false, "after a loss of power, before recovery: %s", harm->c_str());
    }
    const auto mounted = room_.mount();
    KILN_CHECK(mounted.ok(), "after a loss of power it cannot be mounted: %s",
               text_of(failure_of(mounted)));
    KILN_CHECK(!room_.fs().read_only(), "after a loss of power it is read-only");
    const auto unmounted = room_.unmount();
    KILN_CHECK(unmounted.ok(), "after a loss of power it cannot be unmounted: %s",
               text_of(failure_of(unmounted)));
    const Verdict& after = checker_.check(view_of(room_.disk.medium()));
    KILN_CHECK(after.sound(), "recovered and unmounted: %s", after.words().c_str());
  }

  static void show(sim::Exhibitor& to, void* self) {
    worlds::show_disk(static_cast<const CutWork*>(self)->room_.disk, to);
  }

  sim::Tape tape_;
  Ext2Disk room_;
  worlds::ext2::Checker checker_;
  sim::Exhibit exhibit_{show, this};
};

void work_on(sim::Feed& feed) {
  DamagedWorld world(gen::ext2::Image(1024, 0), shape_of(feed.bytes));
  world.disk.lend(feed.bytes.first(feed.bytes.size() / kSector * kSector));
  sim::Tape tape({.target = "fs/ext2", .seed = 1, .iteration = 0, .longest = 4096});
  DamagedWorld::Plan plan;
  plan.steps = kOperations;
  world.run(plan, tape.data());
  feed.out += "Work on it: " + std::to_string(world.asked()) + " operations, of which it did " +
              std::to_string(world.succeeded()) + ". ";
  if (world.met_corrupt()) {
    feed.out += "It met what is corrupt, and has written nothing from then on.\n";
  } else if (world.standing() == Standing::kDamaged) {
    feed.out += "Nothing broke.\n";
  } else {
    feed.out += "All of it is on the disk, which is sound after the unmount.\n";
  }
}

} // namespace

void feed_ext2(sim::Feed& feed) {
  {
    DamagedWorld world(gen::ext2::Image(1024, 0), shape_of(feed.bytes));
    world.disk.lend(feed.bytes.first(feed.bytes.size() / kSector * kSector));
    if (!world.run_in_words(feed.out)) return;
  }
  sim::machine().got_further();
  work_on(feed);
  worlds::ext2::Checker checker;
  if (!checker.check(worlds::ext2::ImageView(feed.bytes)).sound()) {
    feed.out += "The power is cut only on an image that is sound to begin with.\n";
    return;
  }
  unsigned in_work = 0;
  for (unsigned round = 0; round < kCuts; ++round) {
    CutWork cut(feed.bytes, round);
    if (cut.run()) ++in_work;
  }
  feed.out += "The power went in the middle of such work " + std::to_string(in_work) +
              " times, and at its end " + std::to_string(kCuts - in_work) +
              " times: recovered each time.\n";
}

} // namespace kiln::fs
