#pragma once
// What a recovery has found: which blocks belong to somebody, and what is known of each inode that
// a name leads to. Kept a group at a time, and only of groups that have something.

#include <stdint.h>

#include "kernel-src/fs/ext2/volume.h"
#include "kernel-src/lib/hash_table.h"

namespace clay::ext2 {

struct InodeFacts {
  uint32_t links;  ///< that lead to it, "." and ".." among them; 0: not found
  uint32_t parent; ///< of a directory: where its name is
  uint32_t next;   ///< in the list of directories to look into
  uint8_t type;    ///< that entries for it have
  bool directory;
  bool nobody; ///< a name leads to it, and it is not in use
  bool to_fix; ///< pointers behind the end, or a wrong count of blocks
};

/// A block of extended attributes, which inodes share.
struct AttributeFacts {
  explicit AttributeFacts(uint32_t block) : block(block) {}
  const uint32_t block;
  uint32_t references = 0;
  HashLink link;
};

class RecoveryMap {
 public:
  static Result<Box<RecoveryMap>> create(Volume& volume);
  RecoveryMap(Volume& volume, Array<uint8_t*> blocks, Array<InodeFacts*> inodes);
  ~RecoveryMap();

  /// Marks a block as somebody's: false when it was already.
  Result<bool> claim(BlockNumber block);
  Result<InodeFacts*> facts(uint32_t number);
  /// Null: nothing is known of it.
  const InodeFacts* known(uint32_t number) const;
  /// Counts a reference; false when the block is somebody's otherwise.
  Result<bool> share(BlockNumber block);

  /// The bitmap of a group as it has to be, whole.
  Result<Bytes> block_bits(uint32_t group);
  void drop_blocks(uint32_t group) {
    hal_free(blocks_[group]);
    blocks_[group] = nullptr;
  }
  void inode_bits(uint32_t group, MutableBytes bytes) const;

  /// Calls visit(facts) for each block of attributes.
  template <typename Visit> void for_attributes(Visit visit) { attributes_.for_each(visit); }

 private:
  Volume& volume_;
  Array<uint8_t*> blocks_;    ///< a bitmap a group, or null
  Array<InodeFacts*> inodes_; ///< inodes_per_group of them, or null
  HashTable<AttributeFacts, &AttributeFacts::link, &AttributeFacts::block> attributes_;
};

} // namespace clay::ext2
