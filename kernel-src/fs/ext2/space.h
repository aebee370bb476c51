#pragma once
// The bitmaps: blocks and inodes taken and given back. What a bitmap says is believed only as far
// as it agrees with the groups: a group's own blocks are never handed out, and what is given back
// must have been taken.

#include <stdint.h>

#include "kernel-src/fs/ext2/volume.h"

namespace clay::ext2 {

/// A free block, near `goal` if there is one; its bit is set (kStageNew) and nothing else is done.
/// kNoSpace.
Result<BlockNumber> take_block(Volume& volume, uint32_t goal);
/// A block that was taken and led to by nothing on the disk since: free again at once. When that
/// fails it is lost until the next mount.
void put_back_block(Volume& volume, BlockNumber block);

/// A free inode in this group or another; its bit is set.
Result<uint32_t> take_inode(Volume& volume, uint32_t group, bool directory);
void put_back_inode(Volume& volume, uint32_t number, bool directory);
/// An inode that was in use.
Result<> free_inode(Volume& volume, uint32_t number, bool directory);

/// Gives back many blocks; keeps the last bitmap at hand.
class BlockFreer {
 public:
  explicit BlockFreer(Volume& volume) : volume_(volume) {}
  /// kCorrupt when the block is free already: then nothing is changed.
  Result<> free(BlockNumber block);

 private:
  Volume& volume_;
  uint32_t group_ = 0;
  Result<BlockEdit> bitmap_ = Error::kNotFound; ///< of group_, once there is one
};

} // namespace clay::ext2
