// How a run ends: unmounted, sound, and what the model says; and what it was good for.

#include <algorithm>
#include <cstring>

#include "targets/fs/answer.h"
#include "targets/fs/ext2_probes.h"
#include "targets/fs/ext2_world.h"
#include "targets/fs/shared_tree.h"
#include "targets/fs/tree.h"
#include "worlds/ext2/reader.h"

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using worlds::FsFound;
using worlds::FsHistory;

void Ext2World::finish() {
  room_.disk.cut_never();
  const Ext2Disk::Calm calm(room_);
  failure_.disarm();
  judge_gathered();
  const bool broken = room_.fs().read_only();
  KILN_CHECK(!broken || lost_ || faulted() || struck_, "it has become read-only");
  if (broken) {
    // What is in memory only is lost, as in a loss of power.
    probes.turned_read_only.hit();
    go_down();
    if (!come_back()) return;
  }
  if (features_.thorough) check_tree();
  const bool usable = features_.usable && !lost_ && !room_.is_lying();
  if (usable) empty_out();
  if (!unmount()) {
    KILN_CHECK(lost_ || has_bad_sectors(), "it cannot be unmounted");
    return;
  }
  if (lost_) return;
  if (usable) check_emptied();
  if (features_.idempotent) check_idempotent();
}

bool Ext2World::unmount() {
  if (!lost_) {
    FsOperation operation;
    operation.act = FsAct::kRemount;
    history_.begin(0, operation);
  }
  let_go();
  const auto unmounted = room_.unmount();
  if (!powered()) {
    KILN_CHECK(lost_ || !unmounted.ok(), "it is unmounted, and the power has gone meanwhile");
    probes.cut_in_unmount.hit();
    return false;
  }
  if (lost_) return unmounted.ok();
  if (!unmounted.ok()) {
    KILN_CHECK(faulted() || struck_, "it cannot be unmounted: %s", text_of(failure_of(unmounted)));
    return false;
  }
  history_.succeeded(0);
  check_unmounted();
  return true;
}

void Ext2World::check_unmounted() {
  if (!room_.disk.pending().empty()) {
    KILN_CHECK(room_.faults.any_lie(), "it is unmounted, and not everything is durable");
    return;
  }
  if (room_.is_lying() || has_bad_sectors()) return;
  const auto image = view_of(room_.disk.medium());
  const worlds::ext2::Verdict& verdict = checker_.check(image);
  if (verdict.has(worlds::ext2::Problem::kState) && (faulted() || struck_)) {
    // Something could not be undone, and the next mount is told to look.
    probes.untidy.hit();
    KILN_CHECK(verdict.within_cut(), "unmounted: %s", verdict.words().c_str());
  } else {
    KILN_CHECK(verdict.sound(), "unmounted: %s", verdict.words().c_str());
  }
  FsFound found;
  KILN_CHECK(look_at_image(image, how_to_look(), found), "the image cannot be read");
  FsHistory exactly(history_.now(), history_.numbers());
  const worlds::FsVerdict judged = fs_judge(exactly, exactly.moment(), found);
  KILN_CHECK(judged.right(), "on the disk: %s", judged.wrong.c_str());
}

// --- What it is good for

void Ext2World::empty_out() {
  probes.emptied.hit();
  for (NodeDriver& driver : drivers_) {
    driver.close_all();
  }
  fs::empty_out(drivers_[0].root());
  history_ = FsHistory(worlds::FsModel(limits_), {history_.number(0)});
}

/// All is free that was free when the image was made, but for blocks that the root has got.
void Ext2World::check_emptied() {
  const auto fresh_number = stock_number_ - stock_number_ % worlds::ext2::kFillings;
  const worlds::ext2::Stock& fresh = worlds::ext2::stock(fresh_number);
  const auto image = view_of(room_.disk.medium());
  const worlds::ext2::Counted counted = checker_.check(image).counted();
  worlds::ext2::Reader reader(image);
  const auto root = reader.inode(worlds::ext2::kRootInode);
  const uint32_t more = root->sectors / (fresh.shape.block_bytes / 512) - 1;
  KILN_CHECK(counted.free_inodes == fresh.free_inodes &&
                 counted.free_blocks + more == fresh.free_blocks,
             "it is empty and has %u inodes and %u blocks free (and %u in the root); fresh, it had "
             "%u and %u",
             counted.free_inodes, counted.free_blocks, more, fresh.free_inodes, fresh.free_blocks);
}

/// A sound image that only says that it is not clean: recovery finds nothing to do.
void Ext2World::check_idempotent() {
  if (!room_.disk.pending().empty() || room_.is_lying() || has_bad_sectors()) return;
  probes.idempotent.hit();
  constexpr size_t kSuperblock = 1024;
  constexpr size_t kState = 58;
  constexpr size_t kTimesBegin = 44;
  constexpr size_t kTimesEnd = 64;
  std::vector<uint8_t> before = room_.disk.image();
  worlds::Medium unclean = room_.disk.medium();
  const uint32_t sector_bytes = unclean.sector_bytes();
  const uint64_t sector = (kSuperblock + kState) / sector_bytes;
  std::vector<uint8_t> bytes(sector_bytes);
  unclean.read(sector, bytes);
  bytes[(kSuperblock + kState) % sector_bytes] &= 0xFE;
  unclean.write(sector, bytes);
  Ext2Disk again(room_.disk.shape(), std::move(unclean));
  const auto mounted = again.mount();
  KILN_CHECK(mounted.ok(), "a sound image that is not clean cannot be mounted: %s",
             text_of(failure_of(mounted)));
  const auto unmounted = again.unmount();
  KILN_CHECK(unmounted.ok(), "it cannot be unmounted again: %s", text_of(failure_of(unmounted)));
  std::vector<uint8_t> after = again.disk.image();
  for (auto* image : {&before, &after}) {
    const auto at = image->begin() + kSuperblock;
    std::fill(at + kTimesBegin, at + kTimesEnd, 0);
  }
  if (memcmp(before.data(), after.data(), before.size()) == 0) return;
  const auto differ = std::mismatch(before.begin(), before.end(), after.begin()).first;
  KILN_CHECK(false, "a second recovery changes the byte at %ld", differ - before.begin());
}

} // namespace kiln::fs
