#pragma once
// Which block of the disk is which block of a file: 12 pointers in the inode, then one to a block
// of pointers, one to a block of those, and one more. A pointer that is 0 is a hole, at any depth.

#include <stdint.h>

#include "kernel-src/fs/ext2/inode.h"
#include "kernel-src/fs/ext2/volume.h"

namespace clay::ext2 {

/// The way to a block: a pointer in the inode, then one in each of `depth` blocks of pointers.
struct BlockPath {
  unsigned depth = 0;
  uint32_t slots[kMostDepth + 1] = {};

  /// `index` lies below the largest file's end.
  static BlockPath to(const Geometry& geometry, uint64_t index);
};

/// The block of the disk; none for a hole. The inode has_blocks().
Result<BlockNumber> find_block(Volume& volume, const Inode& inode, uint64_t index);

/// The same; a hole gets a block, of zeros, and what is needed of blocks of pointers. What changes
/// in the inode is in memory only. An error leaves everything as it was.
Result<BlockNumber> grow_block(Volume& volume, Inode& inode, uint64_t index);

/// Blocks that grow_block() would take for all of [first, first + count).
Result<uint64_t> missing_blocks(Volume& volume, const Inode& inode, uint64_t first, uint64_t count);

} // namespace clay::ext2
