#pragma once
// Where what is in a *sound* image: for whoever wants to break one thing of it. Does not judge; an
// image that is not sound may give a survey that is short, but never one that leaves the image.

#include <cstdint>
#include <vector>

#include "generators/ext2/format.h"
#include "generators/ext2/image.h"

namespace kiln::gen::ext2 {

struct Survey {
  struct Group {
    uint32_t block_bitmap = 0;
    uint32_t inode_bitmap = 0;
    uint32_t table = 0;
  };
  /// Four bytes in the image that name a block.
  struct Pointer {
    uint32_t inode = 0; ///< whose it is
    uint32_t block = 0; ///< where it lies: in a table, or an indirect block
    uint32_t at = 0;
    uint32_t to = 0;
    uint32_t level = 0; ///< 0: contents; 1 to 3: an indirect block
    bool directory = false;
  };
  struct Node {
    uint32_t number = 0;
    uint32_t block = 0; ///< of the table
    uint32_t at = 0;
    uint32_t mode = 0;
  };
  struct Entry {
    uint32_t directory = 0;
    uint32_t block = 0;
    uint32_t at = 0;
    uint32_t length = 0;
    uint32_t inode = 0; ///< 0: a gap
    uint32_t name_bytes = 0;
    bool dot = false; ///< '.' or '..'
  };

  uint32_t block_bytes = 0;
  uint32_t first_block = 0;
  uint32_t blocks = 0;
  uint32_t blocks_per_group = 0;
  uint32_t inodes = 0;
  uint32_t inodes_per_group = 0;
  uint32_t inode_bytes = 0;
  uint32_t table_blocks = 0;
  uint32_t revision = 0;
  bool sparse = false;
  bool types = false;
  std::vector<Group> groups;
  std::vector<Node> nodes;       ///< in use, from the root on
  std::vector<Pointer> pointers; ///< those that are not 0
  std::vector<Entry> entries;

  /// Where an inode lies, in use or not; number in [1, inodes].
  Node place(uint32_t number) const;
  uint32_t groups_count() const { return static_cast<uint32_t>(groups.size()); }
};

Survey survey(const Image& image);

/// The superblock's bytes.
inline uint8_t* super_of(Image& image) {
  return image.write(kSuperAt / image.block_bytes()) + kSuperAt % image.block_bytes();
}
inline const uint8_t* super_of(const Image& image) {
  return image.read(kSuperAt / image.block_bytes()) + kSuperAt % image.block_bytes();
}

} // namespace kiln::gen::ext2
