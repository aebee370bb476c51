#pragma once
// Directories changed. A sector of the disk is written whole or not at all, a block of several is
// not; so each change that is seen lies in one sector, and no change relies on one in another
// sector that is not durable. README.md, "What is written when", has the rules.

#include <stdint.h>

#include "kernel-src/fs/ext2/directory.h"
#include "kernel-src/fs/ext2/inode_table.h"

namespace clay::ext2 {

/// Where a name can go.
struct NameSlot {
  enum class How : uint8_t {
    kBeside,   ///< what changes lies in one sector
    kBehind,   ///< two steps: the new entry in unseen room, then the length that lets it be seen
    kNewBlock, ///< the directory grows
  };
  How how = How::kNewBlock;
  bool reuses = false; ///< the entry at `offset` is empty, and becomes the new one
  uint32_t block = 0;  ///< of the disk
  uint32_t offset = 0; ///< of the entry whose room it takes
  uint32_t place = 0;  ///< where the new entry begins
  uint32_t end = 0;    ///< and ends
};

/// An entry by its place on the disk.
struct EntryAt {
  uint32_t block = 0;
  uint32_t offset = 0;
};

/// The entry of `name`, or where it could go.
struct NameSearch {
  NamePlace found;
  NameSlot slot;
};

class DirectoryEditor {
 public:
  DirectoryEditor(Volume& volume, InodeTable& inodes)
      : volume_(volume), inodes_(inodes),
        sector_bytes_(volume.cache().device().shape().sector_bytes) {}

  uint32_t sector_of(uint32_t offset) const { return offset / sector_bytes_; }
  /// Whether [offset, offset + size) lies in one sector.
  bool in_one_sector(uint32_t offset, uint32_t size) const {
    return sector_of(offset) == sector_of(offset + size - 1);
  }
  /// The type that an entry for such an inode has.
  uint8_t type_of(const Inode& inode) const;

  Result<NameSearch> search(const Inode& directory, StringView name);
  /// Before the first change of a directory: one with an index becomes one without.
  Result<> begin(Inode& directory);

  /// Puts a name in (kStageNames). An error leaves the directory as it was, but for blocks behind
  /// its end, which it is then marked to lose.
  Result<EntryAt> insert(Inode& directory, const NameSlot& slot, StringView name, uint32_t inode,
                         uint8_t type);
  /// Takes one out.
  Result<> remove(const BlockRef& block, uint32_t offset, unsigned stage);

  // --- Inside of an edit of a block that the caller has begun

  static void write(MutableBytes block, uint32_t offset, uint32_t length, StringView name,
                    uint32_t inode, uint8_t type);
  void write_beside(MutableBytes block, const NameSlot& slot, StringView name, uint32_t inode,
                    uint8_t type);
  /// False, and nothing is changed: there is no entry there.
  bool take_out(MutableBytes block, uint32_t offset) const;
  /// A directory's first block.
  void write_first(MutableBytes block, uint32_t self, uint32_t parent);

 private:
  void look_at(const Entry& entry, uint32_t block, uint32_t needed, NameSlot& slot) const;
  Result<EntryAt> insert_behind(const NameSlot& slot, StringView name, uint32_t inode,
                                uint8_t type);
  Result<EntryAt> append(Inode& directory, StringView name, uint32_t inode, uint8_t type);

  Volume& volume_;
  InodeTable& inodes_;
  const uint32_t sector_bytes_;
};

} // namespace clay::ext2
