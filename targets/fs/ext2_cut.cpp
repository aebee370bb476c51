#include "targets/fs/ext2_cut.h"

#include "sim/machine.h"
#include "targets/fs/answer.h"
#include "targets/fs/ext2_harm.h"
#include "targets/fs/tree.h"

namespace kiln::fs {

using worlds::FsFound;
using worlds::FsHistory;
using worlds::FsMoment;
using worlds::ext2::Checker;

namespace {

bool check_harm(Ext2Disk& room, Checker& checker) {
  const auto image = view_of(room.disk.medium());
  const worlds::ext2::Verdict& verdict = checker.check(image);
  if (verdict.sound()) return true;
  if (const auto harm = harm_of_cut(verdict, image)) {
    KILN_CHECK(false, "before recovery: %s", harm->c_str());
  }
  KILN_CHECK(verdict.has(worlds::ext2::Problem::kState),
             "after a loss of power it says that it is clean: %s", verdict.words().c_str());
  return false;
}

FsFound look(Ext2Disk& room, const FsHistory& history) {
  FsFound found;
  const auto root = room.fs().root();
  const auto looked = root.ok() ? look_through_kernel(*root.value(), {.history = &history}, found)
                                : clay::Result<>(root.error());
  KILN_CHECK(looked.ok(), "after a loss of power the tree cannot be read: %s",
             text_of(failure_of(looked)));
  return found;
}

} // namespace

FsFound judge_cut(Ext2Disk& room, const FsHistory& history, const FsMoment& moment,
                  Checker& checker, bool& sound) {
  sound = check_harm(room, checker);
  const auto mounted = room.mount();
  KILN_CHECK(mounted.ok(), "after a loss of power it cannot be mounted: %s",
             text_of(failure_of(mounted)));
  KILN_CHECK(!room.fs().read_only(), "after a loss of power it is read-only");
  FsFound found = look(room, history);
  const auto unmounted = room.unmount();
  KILN_CHECK(unmounted.ok(), "after a loss of power it cannot be unmounted: %s",
             text_of(failure_of(unmounted)));
  const FsFound on_disk = judge_sound(room, history, moment, checker);
  const std::string difference = fs_difference(found, on_disk);
  KILN_CHECK(difference.empty(), "what the kernel shows is not what is on the disk: %s",
             difference.c_str());
  return found;
}

FsFound judge_sound(Ext2Disk& room, const FsHistory& history, const FsMoment& moment,
                    Checker& checker) {
  KILN_CHECK(room.disk.pending().empty(), "it is unmounted, and not everything is durable");
  const auto image = view_of(room.disk.medium());
  const worlds::ext2::Verdict& verdict = checker.check(image);
  KILN_CHECK(verdict.sound(), "unmounted: %s", verdict.words().c_str());
  FsFound found;
  KILN_CHECK(look_at_image(image, {.history = &history}, found), "the image cannot be read");
  const worlds::FsVerdict judged = fs_judge(history, moment, found);
  KILN_CHECK(judged.right(), "after a loss of power: %s", judged.wrong.c_str());
  return found;
}

} // namespace kiln::fs
