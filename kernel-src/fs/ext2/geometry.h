#pragma once
// What the superblock says of the filesystem's shape. One that exists has been checked: every
// number fits the others, so that nobody divides by zero, shifts too far or leaves a group.

#include <stdint.h>

#include "kernel-src/fs/ext2/format.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay::ext2 {

class Geometry {
 public:
  /// Of the kSuperblockBytes at kSuperblockOffset. kInvalid: not ext2 at all. kUnsupported,
  /// kCorrupt.
  static Result<Geometry> read(Bytes superblock);

  uint32_t block_bytes = 0; ///< 1024, 2048 or 4096
  uint32_t block_shift = 0;
  uint32_t blocks = 0;
  uint32_t first_block = 0; ///< 1 with blocks of 1024 bytes, else 0: where group 0 begins
  uint32_t blocks_per_group = 0;
  uint32_t groups = 0;
  uint32_t inodes = 0;
  uint32_t inodes_per_group = 0;
  uint32_t inode_bytes = 0;       ///< a power of two, 128 up to a block
  uint32_t first_inode = 0;       ///< those below are reserved, but for the root
  uint32_t table_blocks = 0;      ///< of one group's inode table
  uint32_t descriptor_blocks = 0; ///< behind a superblock
  uint32_t reserved_descriptor_blocks = 0;
  bool sparse = false;      ///< not every group has a copy of superblock and descriptors
  bool types = false;       ///< entries of directories have a type
  bool large_files = false; ///< files may have 2 GiB and more
  bool dynamic = false;     ///< revision 1
  bool read_only = false;   ///< a feature that only readers may not know

  uint32_t pointers_per_block() const { return block_bytes / 4; }
  uint32_t sectors_per_block() const { return block_bytes / 512; }
  uint32_t group_of_block(uint32_t block) const { return (block - first_block) / blocks_per_group; }
  uint32_t group_of_inode(uint32_t inode) const { return (inode - 1) / inodes_per_group; }
  uint32_t first_of_group(uint32_t group) const { return first_block + group * blocks_per_group; }
  uint32_t blocks_of_group(uint32_t group) const {
    return group + 1 < groups ? blocks_per_group : blocks - first_of_group(group);
  }
  bool has_superblock(uint32_t group) const;
  /// Blocks at a group's begin that copies of superblock and descriptors take.
  uint32_t head_blocks(uint32_t group) const {
    return has_superblock(group) ? 1 + descriptor_blocks + reserved_descriptor_blocks : 0;
  }
  uint64_t most_file_bytes() const;
  bool is_inode(uint32_t number) const { return number >= 1 && number <= inodes; }

 private:
  Geometry() = default;
};

} // namespace clay::ext2
