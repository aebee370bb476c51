#pragma once
// An inode in memory: what it is now. The disk may know an older state; what it knows of size and
// links is kept beside, for the order of writes. Guarded by the filesystem's lock.

#include <stdint.h>

#include "kernel-src/fs/ext2/format.h"
#include "kernel-src/fs/node.h"
#include "kernel-src/lib/hash_table.h"
#include "kernel-src/lib/list.h"

namespace clay::ext2 {

struct Inode {
  explicit Inode(uint32_t number) : number(number) {}

  const uint32_t number;
  NodeKind kind = NodeKind::kOther;
  uint16_t mode = 0;
  uint32_t links = 0;
  uint32_t flags = 0;
  uint32_t sectors = 0;    ///< of 512 bytes, that it takes up
  uint32_t attributes = 0; ///< raw: block of extended attributes, or 0
  uint64_t size = 0;
  uint32_t pointers[kPointers] = {}; ///< raw: what they lead to has not been looked at
  bool fast = false;                 ///< a symlink whose target lies in place of the pointers

  uint64_t disk_size = 0;
  uint32_t disk_links = 0;
  uint32_t goal = 0; ///< where to look for its next block; 0: not thought of yet

  // --- What is left for the commit
  bool changed = false; ///< size, pointers or counts differ from the disk's
  bool trim = false;    ///< there may be blocks behind the end
  bool dead = false;    ///< nobody has it any more: to be freed
  bool erased = false;  ///< a dead one, of which the disk knows it
  bool named = false;   ///< has got a name since the last commit

  Node* node = nullptr; ///< what users refer to; not counted here
  uint32_t pins = 0;
  HashLink by_number;
  ListLink pending; ///< one that has something left for the commit, pinned by that

  bool is_directory() const { return kind == NodeKind::kDirectory; }
  /// Whether the pointers are any.
  bool has_blocks() const { return kind != NodeKind::kOther && !fast; }
};

} // namespace clay::ext2
