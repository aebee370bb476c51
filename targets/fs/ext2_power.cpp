// The power goes, and what is found when it has come back.

#include "targets/fs/answer.h"
#include "targets/fs/ext2_harm.h"
#include "targets/fs/ext2_probes.h"
#include "targets/fs/ext2_world.h"
#include "targets/fs/tree.h"

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using worlds::FsFound;
using worlds::FsHistory;
using worlds::ext2::Problem;

bool Ext2World::has_bad_sectors() const {
  const worlds::Medium& medium = room_.disk.medium();
  for (uint64_t sector = 0; sector < medium.sectors(); ++sector) {
    if (!medium.readable(sector)) return true;
  }
  return false;
}

// --- Down

void Ext2World::arm_cut() {
  if (!features_.cuts) return;
  auto fault = run_.tape.fault();
  const auto torn = features_.torn ? worlds::TornSectors::kGarbage : worlds::TornSectors::kAtomic;
  switch (fault.weighted({1, 8, 4, 1})) {
  case 1:
    return room_.disk.cut_after(fault.below(16), run_.tape, sim::Lane::kWorld, torn);
  case 2:
    return room_.disk.cut_after(fault.below(64), run_.tape, sim::Lane::kWorld, torn);
  case 3:
    return room_.disk.cut_after(fault.below(256), run_.tape, sim::Lane::kWorld, torn);
  default:
    return;
  }
}

/// What has been done goes to the disk, and the power may go meanwhile.
void Ext2World::cut_in_commit() {
  if (!features_.cuts || !powered() || !room_.is_mounted()) return;
  auto fault = run_.tape.fault();
  const auto kind = fault.weighted({2, 5, 1});
  if (kind == 0) return;
  room_.disk.cut_after(fault.below(48), run_.tape, sim::Lane::kWorld);
  FsOperation end;
  end.act = kind == 1 ? FsAct::kSync : FsAct::kRemount;
  step(0, end);
}

void Ext2World::go_down() {
  failure_.disarm();
  judge_gathered();
  if (powered()) room_.disk.cut(run_.tape.world());
  let_go();
  if (room_.is_mounted()) static_cast<void>(room_.unmount());
}

// --- Up

bool Ext2World::come_back() {
  if (!recover()) return false;
  take_hold();
  if (!lost_) judge_found();
  return true;
}

void Ext2World::note_cut() const {
  const auto& entries = room_.disk.log().entries();
  for (size_t i = entries.size(); i-- > 0;) {
    if (entries[i].kind != worlds::DiskLog::Kind::kCut) continue;
    if (entries[i].a != 0) probes.cut_loses_writes.hit();
    return;
  }
}

bool Ext2World::recover() {
  constexpr unsigned kDeep = 4;
  auto fault = run_.tape.fault();
  note_cut();
  for (unsigned depth = 0;; ++depth) {
    room_.disk.power_on();
    if (room_.is_lying()) {
      features_.torn ? probes.torn.hit() : probes.lied.hit();
      lost_ = true;
    }
    if (!lost_) check_crash_image();
    if (!lost_ && fault.below(16) == 15) check_read_only_mount();
    const bool cut_again = features_.cuts && depth < kDeep && fault.below(3) == 2;
    if (cut_again) room_.disk.cut_after(fault.below(24), run_.tape, sim::Lane::kWorld);
    const bool mounted = mount_somehow();
    if (powered()) {
      room_.disk.cut_never();
      return mounted;
    }
    probes.cut_in_recovery.hit();
    if (depth == 1) probes.cut_twice_in_recovery.hit();
    if (depth == 2) probes.cut_three_deep.hit();
    go_down();
  }
}

/// With faults of the disk and of memory at first; then without, and it must be possible.
bool Ext2World::mount_somehow() {
  if (features_.memory && run_.tape.fault().below(4) == 3) {
    failure_.arm(run_.tape.fault().below(64));
  }
  hits_at_mount_ = room_.hits();
  const uint64_t allocations = Failure::before();
  auto mounted = room_.mount();
  const bool no_memory = failure_.may_have_struck(allocations);
  failure_.disarm();
  if (!powered()) return false;
  if (!mounted.ok()) {
    probes.mount_fails.hit();
    if (no_memory) probes.no_memory_in_recovery.hit();
    const bool excused = lost_ || has_bad_sectors() || faulted() ||
                         (no_memory && mounted.error() == clay::Error::kNoMemory);
    KILN_CHECK(excused, "it cannot be mounted after a loss of power: %s",
               text_of(failure_of(mounted)));
    const Ext2Disk::Calm calm(room_);
    mounted = room_.mount();
    if (!powered()) return false;
  }
  if (!mounted.ok()) {
    KILN_CHECK(lost_ || has_bad_sectors(), "it cannot be mounted after a loss of power: %s",
               text_of(failure_of(mounted)));
    return false;
  }
  KILN_CHECK(!room_.fs().read_only() || lost_ || faulted(),
             "it is read-only after a loss of power");
  return true;
}

// --- What is found

void Ext2World::check_crash_image() {
  const auto image = view_of(room_.disk.medium());
  const worlds::ext2::Verdict& verdict = checker_.check(image);
  if (verdict.has(Problem::kUnreadable)) {
    lost_ = true;
    return;
  }
  if (const auto harm = harm_of_cut(verdict, image)) {
    KILN_CHECK(false, "before recovery: %s", harm->c_str());
  }
  if (verdict.has(Problem::kState)) probes.found_unclean.hit();
  if (verdict.has(Problem::kBlockLeaked) || verdict.has(Problem::kInodeLeaked) ||
      verdict.has(Problem::kUnattached)) {
    probes.found_leaks.hit();
  }
  if (verdict.has(Problem::kEntryKind)) probes.found_move.hit();
  KILN_CHECK(verdict.sound() || verdict.has(Problem::kState),
             "after a loss of power it says that it is clean: %s", verdict.words().c_str());
}

void Ext2World::judge_found() {
  const worlds::FsMoment moment = history_.moment(); // before the look, which asks where to look
  FsFound found;
  if (!look(found)) {
    lost_ = true;
    return;
  }
  const worlds::FsVerdict verdict = fs_judge(history_, moment, found);
  KILN_CHECK(verdict.right(), "after a loss of power: %s", verdict.wrong.c_str());
  if (verdict.mixtures != 0) probes.found_mixture.hit();
  past_.push_back(std::move(history_));
  history_ = FsHistory::after(verdict, found, limits_);
}

/// Of an image that nobody has recovered: nothing is written.
void Ext2World::check_read_only_mount() {
  probes.read_only_mount.hit();
  const uint64_t hash = room_.disk.medium().hash();
  const Ext2Disk::Calm calm(room_);
  const auto mounted = room_.mount({.read_only = true});
  if (mounted.ok()) {
    KILN_CHECK(room_.fs().read_only(), "what is mounted read-only says that it is not");
    {
      const auto root = room_.fs().root();
      FsFound found;
      if (root.ok()) static_cast<void>(look_through_kernel(*root.value(), how_to_look(), found));
    }
    const auto unmounted = room_.unmount();
    KILN_CHECK(unmounted.ok(), "a read-only unmount fails: %s", text_of(failure_of(unmounted)));
  }
  KILN_CHECK(room_.disk.medium().hash() == hash && room_.disk.pending().empty(),
             "a read-only mount has written something");
}

} // namespace kiln::fs
