#pragma once
// What a loss of power may have left, judged on a disk of its own: as it lies there, recovered, and
// unmounted.

#include "targets/fs/ext2_disk.h"
#include "worlds/ext2/check.h"
#include "worlds/fs/history.h"

namespace kiln::fs {

/// Fails unless the disk, on which nothing is mounted, holds what a cut may leave at that moment:
/// nothing is in danger, the kernel recovers it, its tree is one that `history` allows, and after
/// an unmount it is sound, durable and the same. The tree. `sound`: whether it was in order before.
worlds::FsFound judge_cut(Ext2Disk& room, const worlds::FsHistory& history,
                          const worlds::FsMoment& moment, worlds::ext2::Checker& checker,
                          bool& sound);
/// The last part of it: unmounted, sound, all durable. The tree that is on the disk.
worlds::FsFound judge_sound(Ext2Disk& room, const worlds::FsHistory& history,
                            const worlds::FsMoment& moment, worlds::ext2::Checker& checker);

} // namespace kiln::fs
