#pragma once
// The second extended filesystem, read and written. README.md has the order of writes and what a
// mount does with an image that was not unmounted.
//
//   Box<FileSystem> fs = CLAY_TRY(mount_ext2(device));
//   Ref<Node> root = CLAY_TRY(fs->root());
//   ...
//   CLAY_TRY(fs->unmount());
//
// What is on the disk may be anything. What contradicts itself is kCorrupt, said in the log, and
// the filesystem is read-only from then on.

#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/fs/node.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/task/heap.h"

namespace clay {

struct Ext2Options {
  /// Nothing is written, also not to recover an image that was not unmounted: it is read as it is.
  bool read_only = false;
  /// Blocks of the disk that are kept in memory at most.
  uint32_t cached_blocks = 256;
};

/// `device` outlives the filesystem. Task context; waits. An image that was not unmounted is
/// recovered first, unless the mount, the device or the image is read-only.
/// kInvalid: not an ext2 filesystem. kUnsupported: it has features that have to be understood and
/// are not, or blocks of a size that is not done. kCorrupt: it contradicts itself. kTruncated: the
/// device is too small for it. kNoMemory, and the errors of the device.
Result<Box<FileSystem>> mount_ext2(BlockDevice& device, const Ext2Options& options = {});

} // namespace clay
