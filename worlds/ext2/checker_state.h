#pragma once
// The checker's memory and its passes. One object judges one image after another; what it sizes by
// the image grows and stays, and only the part that the image needs is cleared.

#include <cstring>
#include <memory>
#include <vector>

#include "worlds/ext2/check.h"
#include "worlds/ext2/format.h"

namespace kiln::worlds::ext2 {

/// Bits by number, in the order of a bitmap on the disk, so that the two can be compared as bytes.
class BitSet {
 public:
  /// All of `bits` clear.
  void clear(size_t bits) {
    const size_t words = bits / 64 + 2;
    if (words_.size() < words) words_.resize(words);
    std::memset(words_.data(), 0, words * 8);
  }
  bool test(size_t bit) const { return (words_[bit / 64] >> (bit % 64) & 1) != 0; }
  void set(size_t bit) { words_[bit / 64] |= uint64_t{1} << (bit % 64); }
  /// Whether the bit was clear before.
  bool claim(size_t bit) {
    uint64_t& word = words_[bit / 64];
    const uint64_t mask = uint64_t{1} << (bit % 64);
    const bool free = (word & mask) == 0;
    word |= mask;
    return free;
  }
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(words_.data()); }
  /// Bits set in [from, from + count).
  uint32_t count(size_t from, size_t count) const;

 private:
  std::vector<uint64_t> words_;
};

/// An array that is not cleared: an element is read only if something else says that it was
/// written.
template <typename T> class Uncleared {
 public:
  void reserve(size_t count) {
    if (count <= size_) return;
    items_ = std::make_unique_for_overwrite<T[]>(count);
    size_ = count;
  }
  T& operator[](size_t index) { return items_[index]; }
  const T& operator[](size_t index) const { return items_[index]; }

 private:
  std::unique_ptr<T[]> items_;
  size_t size_ = 0;
};

/// What the superblock says, once it has been found possible.
struct Layout {
  uint32_t block_bytes = 0;
  uint32_t block_shift = 0;
  uint32_t first_block = 0;
  uint32_t blocks = 0;
  uint32_t blocks_per_group = 0;
  uint32_t groups = 0;
  uint32_t inodes = 0;
  uint32_t inodes_per_group = 0;
  uint32_t inode_bytes = 0;
  uint32_t first_file_inode = 0;
  uint32_t table_blocks = 0;      ///< of one group
  uint32_t descriptor_blocks = 0; ///< of one copy
  uint32_t reserved_descriptors = 0;
  uint32_t preallocated = 0; ///< blocks that a directory may have behind its end
  uint32_t pointers = 0;     ///< in a block
  bool sparse = false;
  bool has_types = false;
  bool has_large_files = false;
  bool has_attributes = false;
  bool has_index = false;
  bool has_resize = false;

  uint32_t group_first(uint32_t group) const { return first_block + group * blocks_per_group; }
  uint32_t group_blocks(uint32_t group) const {
    return group + 1 < groups ? blocks_per_group : blocks - group_first(group);
  }
};

struct GroupFacts {
  uint32_t block_bitmap = 0;
  uint32_t inode_bitmap = 0;
  uint32_t table = 0;
  uint16_t free_blocks = 0;
  uint16_t free_inodes = 0;
  uint16_t directories = 0;
  uint32_t counted_directories = 0;
};

/// Blocks that are held at the same time while something is looked at.
enum class Slot : uint8_t { kSuper, kGroup, kTable, kData, kIndirect1, kIndirect2, kIndirect3 };
inline constexpr size_t kSlots = 7;

struct CheckerState {
  /// An inode in use.
  struct InUse {
    uint32_t number;
    uint32_t links; ///< that it says it has
  };
  struct Directory {
    uint32_t number;
    uint32_t first_block; ///< in directory_blocks
    uint32_t blocks;
    bool indexed;
  };
  struct SharedAttributes {
    uint32_t block;
    uint32_t references; ///< that it says it has
    uint32_t seen;
  };
  /// An inode while its blocks are walked.
  struct Walk {
    const uint8_t* inode;
    uint32_t number;
    EntryType type;
    uint64_t blocks = 0; ///< all that it holds
    uint64_t data = 0;   ///< those that are contents
    uint64_t behind = 0; ///< the last block of contents, plus one
    uint32_t first_data = 0;
    bool damaged = false; ///< a block that is impossible: sizes say nothing more
  };
  /// A name of the directory that is looked at, in a table of hashes.
  struct Name {
    uint32_t stamp; ///< of the directory: others are empty places
    uint32_t hash;
    uint32_t block;
    uint32_t at;
  };

  void judge(const ImageView& view);

  // --- check_super.cpp
  bool read_super();
  bool super_numbers(const uint8_t* super);
  void super_marks(const uint8_t* super);
  void orphan_list(uint32_t head);
  void backups(const uint8_t* super);
  void backup(const uint8_t* super, uint32_t group);
  // --- check_groups.cpp
  bool read_groups();
  bool group_places(uint32_t group, const uint8_t* descriptor);
  void mark_group(uint32_t group);
  void mark_metadata(uint32_t block, uint32_t count, uint32_t group);
  // --- check_inodes.cpp
  void scan_inodes();
  const uint8_t* inode_at(uint32_t number);
  void scan_table_block(const uint8_t* table, uint32_t first, uint32_t count);
  void reserved_inode(Walk& walk);
  void resize_inode(const uint8_t* inode);
  void used_inode(Walk& walk);
  void inode_fields(const Walk& walk);
  void inode_extra(const uint8_t* inode, uint32_t number);
  void directory_inode(Walk& walk);
  void symlink_inode(Walk& walk);
  void special_inode(Walk& walk);
  void size_of_contents(const Walk& walk);
  void directory_size(const Walk& walk);
  void sectors(const Walk& walk);
  // --- check_blocks.cpp
  void walk_blocks(Walk& walk);
  void walk_indirect(Walk& walk, uint32_t block, unsigned level, uint64_t index);
  void contents_block(Walk& walk, uint32_t block, uint64_t index);
  bool claim(Walk& walk, uint32_t block, uint64_t index);
  void attributes_block(Walk& walk);
  void attribute_references();
  // --- check_directories.cpp
  void read_directories();
  void index_root(const Directory& directory);
  void read_directory(const Directory& directory);
  void directory_block(const Directory& directory, uint32_t index, uint32_t& slot);
  void dots(const Directory& directory, uint32_t slot, uint32_t block, uint32_t at,
            const uint8_t* entry);
  void entry_target(const Directory& directory, uint32_t block, uint32_t at, const uint8_t* entry,
                    bool is_name);
  void name(const Directory& directory, uint32_t block, uint32_t at, const uint8_t* entry);
  bool same_name(const Name& known, const uint8_t* entry);
  // --- check_counts.cpp
  void tree();
  void links();
  void bitmaps();
  void group_bitmap(uint32_t group, bool of_blocks);
  void bitmap_differences(uint32_t group, bool of_blocks, const uint8_t* bitmap, uint32_t bits);

  /// Null: unreadable, which has been noted.
  const uint8_t* block(uint32_t number, Slot slot);
  void found(const Found& problem) { verdict.add(problem); }
  bool possible(uint32_t block) const {
    return block >= layout.first_block && block < layout.blocks;
  }
  bool in_use(uint32_t inode) const { return used_inodes.test(inode - 1); }
  void grow();

  const ImageView* image = nullptr;
  uint32_t now = 0;
  Verdict verdict;
  Layout layout;
  uint32_t last_orphan = 0;
  bool low_times = false; ///< the filesystem's own times are as small as inode numbers
  std::unique_ptr<uint8_t[]> scratch;
  uint32_t scratch_bytes = 0; ///< of one slot
  std::vector<GroupFacts> groups;

  // By block, less first_block
  BitSet used_blocks;
  BitSet metadata;
  Uncleared<uint32_t> owners; ///< of those in use that are not metadata
  // By inode, less 1
  BitSet used_inodes;
  BitSet reached;
  // By inode; of those in use
  Uncleared<EntryType> types;
  Uncleared<uint32_t> names;
  // By inode; of directories
  Uncleared<uint32_t> parents; ///< that hold a name for it; 0: none
  Uncleared<uint32_t> dotdots; ///< what their ".." names; 0: nothing

  std::vector<InUse> inodes_in_use;
  std::vector<Directory> directories;
  std::vector<uint32_t> directory_blocks; ///< 0: a hole
  std::vector<SharedAttributes> shared_attributes;
  std::vector<Name> name_table;
  uint32_t name_stamp = 0;
};

} // namespace kiln::worlds::ext2
