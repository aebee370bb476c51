#pragma once
// An image that was not unmounted put right: README.md, "What a cut leaves, and what is done about
// it". First a look, which writes nothing; then, if it has met only what a cut explains, repairs.

#include <stdint.h>

#include "kernel-src/fs/ext2/directory_edit.h"
#include "kernel-src/fs/ext2/recovery_map.h"

namespace clay::ext2 {

/// Afterwards the image is sound and all of it durable, but for the mark in the superblock; or the
/// volume is read-only and the image as it was. Errors of the device and kNoMemory: called again at
/// the next mount it comes to the same end. Before anything else has looked at an inode.
Result<> recover(Volume& volume, DirectoryEditor& editor);

class Recovery {
 public:
  Recovery(Volume& volume, DirectoryEditor& editor, RecoveryMap& map)
      : volume_(volume), editor_(editor), map_(map) {}
  Result<> look();
  Result<> repair();

 private:
  /// A name with the mark of a move.
  struct Mark {
    uint32_t directory;
    uint32_t inode;
    EntryAt at;
    bool resolved;
    bool gone; ///< an old one whose move has happened
  };
  struct Marks {
    static constexpr unsigned kMost = 8; ///< one, if no undoing has failed
    Mark items[kMost];
    unsigned count = 0;
  };

  // --- recovery_look.cpp
  Result<> look_at_reserved();
  Result<> look_into(uint32_t directory);
  Result<> look_at_entry(uint32_t directory, uint32_t block, const Entry& entry);
  Result<> note(Marks& marks, const Mark& mark);
  Result<> name_found(uint32_t directory, uint32_t number);
  Result<> look_at_inode(uint32_t number, uint32_t parent, InodeFacts& facts);
  Result<bool> resolve_one_mark();

  // --- recovery_blocks.cpp
  /// Reads an inode; false when it is nobody's.
  Result<bool> read(uint32_t number, Inode& inode);
  Result<> claim_blocks(const Inode& inode, InodeFacts& facts);
  struct Walk;
  Result<> claim_tree(Walk& walk, uint32_t pointer, unsigned level, uint64_t first);
  Result<> claim_loosely(uint32_t number);
  Result<> claim_loose_tree(uint32_t pointer, unsigned level);
  Result<> cut_tree(uint32_t& pointer, unsigned level, uint64_t first, uint64_t keep);
  Result<> fix_inode(uint32_t number);

  // --- recovery_repair.cpp
  template <typename Act> Result<> for_directories(Act act);
  Result<> repair_names(uint32_t directory, const InodeFacts& facts);
  bool is_to_go(uint32_t block, const Entry& entry) const;
  Result<> repair_types(uint32_t directory);
  Result<> repair_inodes(uint32_t group);
  Result<> repair_bitmaps(uint32_t group);
  Result<> repair_attributes();
  Result<> repair_attributes_block(const AttributeFacts& facts);
  template <typename T>
  static Result<> set_bytes(const BlockRef& block, size_t at, T value, unsigned stage);
  Result<> write_bits(uint32_t bitmap, Bytes bits);

  Volume& volume_;
  DirectoryEditor& editor_;
  RecoveryMap& map_;
  uint32_t to_look_into_ = 0; ///< the first directory of a list
  Marks old_;
  Marks new_;
  bool wrong_types_ = false;
  Array<uint8_t> inode_bits_; ///< one group's, while they are compared
};

} // namespace clay::ext2
