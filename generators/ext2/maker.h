#pragma once
// Makes sound ext2 images by calls:
//
//   Maker maker(shape);
//   const uint32_t home = maker.directory(kRoot, "home");
//   const uint32_t file = maker.file(home, "a");
//   maker.contents(file, 0, seed); maker.contents(file, 300, seed); maker.size(file, 301 * 1024);
//   maker.link(kRoot, "b", file);
//   Made made = maker.finish();
//
// What was meant is written down, for whoever reads the image to be held against. A call for which
// there is no room answers 0 or false and has done nothing that matters.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generators/ext2/format.h"
#include "generators/ext2/image.h"

namespace kiln::gen::ext2 {

/// What an image is like. The plain one: 64 blocks of 1 KiB in one group.
struct Shape {
  uint32_t block_bytes = 1024;
  uint32_t blocks = 64;           ///< fewer when the last group would have no room
  uint32_t blocks_per_group = 0;  ///< a multiple of 8; 0: as many as a bitmap has bits
  uint32_t inodes_per_group = 16; ///< a multiple of 8, 16 or more; made to fill whole blocks
  uint32_t inode_bytes = 128;
  uint32_t revision = 1;
  bool sparse = true; ///< copies of the superblock in few groups; these features: revision 1
  bool types = true;
  bool large_files = false;
  bool index = false; ///< the feature is there; no directory has an index
  bool attributes = false;
  bool lost_found = false;
};

/// What is meant to be in an image: entries in the order in which they were made.
struct Meant {
  struct Entry {
    uint32_t directory = 0; ///< inode
    std::string name;
    uint32_t inode = 0;
  };
  struct Node {
    uint32_t number = 0;
    uint16_t mode = 0;
    uint32_t links = 0;
    uint64_t bytes = 0;
    std::string target = {}; ///< of a symlink
    uint32_t device = 0;
  };
  /// A block of a file that is no hole.
  struct Piece {
    uint32_t inode = 0;
    uint64_t index = 0;
    uint64_t seed = 0;
  };
  std::vector<Entry> entries;
  std::vector<Node> nodes; ///< the root first
  std::vector<Piece> pieces;
};

/// What a block of contents holds that was made of this seed.
void fill_contents(uint64_t seed, std::span<uint8_t> out);

struct Made {
  Shape shape;
  Image image;
  Meant meant;
};

class Maker {
 public:
  explicit Maker(const Shape& shape);

  /// Their inode numbers.
  uint32_t directory(uint32_t parent, std::string_view name);
  uint32_t file(uint32_t parent, std::string_view name);
  uint32_t symlink(uint32_t parent, std::string_view name, std::string_view target);
  /// `mode`: kModeFifo, kModeSocket, kModeCharDevice, kModeBlockDevice.
  uint32_t special(uint32_t parent, std::string_view name, uint32_t mode, uint32_t device = 0);
  bool link(uint32_t parent, std::string_view name, uint32_t inode);
  /// A block of a file's contents; the size grows to hold it.
  bool contents(uint32_t file, uint64_t index, uint64_t seed);
  /// Not below what it holds.
  void size(uint32_t file, uint64_t bytes);
  /// A place of `bytes` in a directory that nothing is in, as a removed name leaves it.
  void gap(uint32_t directory, uint32_t bytes);
  /// One block of attributes for all of these.
  bool attributes(std::span<const uint32_t> inodes);
  /// Where blocks and inodes are taken from next.
  void go_to_block(uint32_t block) { next_block_ = block; }
  void go_to_inode(uint32_t inode) { next_inode_ = inode; }
  void permissions(uint32_t inode, uint16_t bits);

  uint32_t free_blocks() const { return free_blocks_; }
  uint32_t free_inodes() const { return free_inodes_; }
  const Shape& shape() const { return shape_; }
  const Meant& meant() const { return meant_; }

  Made finish();

 private:
  struct Directory {
    uint32_t inode;
    uint32_t block; ///< its last one
    uint32_t at;    ///< of the last entry in there
    uint32_t used;  ///< by that entry
    uint32_t blocks;
  };
  struct Group {
    uint32_t block_bitmap;
    uint32_t inode_bitmap;
    uint32_t table;
    uint32_t free_blocks;
    uint32_t free_inodes;
    uint32_t directories;
  };

  void lay_out();
  void lay_out_group(uint32_t group);
  uint8_t* inode(uint32_t number);
  uint32_t take_block();
  uint32_t take_inode(bool directory);
  uint32_t node(uint32_t parent, std::string_view name, uint32_t mode);
  uint32_t new_directory(uint32_t number, uint32_t parent);
  bool enter(uint32_t directory, std::string_view name, uint32_t inode, EntryType type);
  uint8_t* room(Directory& directory, uint32_t bytes, uint32_t& length);
  void put_entry(uint8_t* to, uint32_t inode, uint32_t length, std::string_view name,
                 EntryType type);
  uint32_t add_block(uint32_t file, uint64_t index);
  uint32_t add_pointer(uint32_t file, uint8_t* place);
  void add_links(uint32_t inode, uint32_t links);
  Meant::Node& meant_node(uint32_t number);
  void write_bitmaps();
  void write_super();
  uint32_t group_first(uint32_t group) const {
    return first_block_ + group * shape_.blocks_per_group;
  }
  uint32_t group_blocks(uint32_t group) const {
    return group + 1 < group_count_ ? shape_.blocks_per_group : shape_.blocks - group_first(group);
  }

  Shape shape_;
  uint32_t first_block_ = 1;
  uint32_t group_count_ = 1;
  uint32_t descriptor_blocks_ = 1;
  uint32_t table_blocks_ = 2;
  uint32_t free_blocks_ = 0;
  uint32_t free_inodes_ = 0;
  uint32_t next_block_ = 0;
  uint32_t next_inode_ = 0;
  Image image_;
  std::vector<Group> groups_;
  std::vector<uint8_t> used_blocks_; ///< bits, from first_block_ on
  std::vector<uint8_t> used_inodes_; ///< bits, from inode 1 on
  std::vector<Directory> directories_;
  Meant meant_;
};

} // namespace kiln::gen::ext2
