#pragma once
// What all of a mounted filesystem stands on: the cache, the shape, the groups, and whether it may
// be written to. Guarded by the filesystem's lock.

#include <stdint.h>

#include "kernel-src/block/cache.h"
#include "kernel-src/fs/ext2/array.h"
#include "kernel-src/fs/ext2/ext2.h"
#include "kernel-src/fs/ext2/geometry.h"

namespace clay::ext2 {

/// Where a group has what, checked: all of it lies in the group, and nothing twice.
struct Group {
  uint32_t head; ///< blocks of superblock and descriptors at its begin
  uint32_t block_bitmap;
  uint32_t inode_bitmap;
  uint32_t table;
  uint16_t free_blocks;
  uint16_t free_inodes;
  uint16_t directories;
};

/// A block that may hold a file's data: it exists and is none of a group's own.
class BlockNumber {
 public:
  constexpr BlockNumber() = default; ///< none: a hole
  constexpr explicit operator bool() const { return raw_ != 0; }
  constexpr uint32_t raw() const { return raw_; }
  constexpr bool operator==(const BlockNumber&) const = default;

 private:
  friend class Volume;
  constexpr explicit BlockNumber(uint32_t raw) : raw_(raw) {}
  uint32_t raw_ = 0;
};

class Volume {
 public:
  /// Reads and checks superblock and descriptors; writes nothing.
  static Result<Box<Volume>> open(BlockDevice& device, const Ext2Options& options);
  Volume(const Geometry& geometry, Box<BlockCache> cache, bool writable);

  Geometry geometry;
  Array<Group> groups;
  BlockCache& cache() { return *cache_; }

  // --- What is found wrong

  /// Says it in the log; the volume is read-only from now on. kCorrupt.
  Error corrupt(const char* what, uint64_t number);
  /// The same for what is wrong with what has been done here, and could not be undone.
  void give_up(const char* what);
  /// Something is marked as used that nobody uses: the next mount has to look.
  void leave_untidy() { untidy_ = true; }
  bool writable() const { return writable_ && !broken_; }

  /// What a pointer on the disk leads to; kCorrupt if it must not.
  Result<BlockNumber> data_block(uint32_t raw);
  /// The same without a word: none if it must not.
  BlockNumber checked(uint32_t raw) const;
  Result<BlockRef> read(BlockNumber block) { return cache_->read(block.raw()); }

  // --- Counts. In memory they are right; on the disk after write_counts()

  uint32_t free_blocks() const { return free_blocks_; }
  uint32_t free_inodes() const { return free_inodes_; }
  void count(uint32_t group, int blocks, int inodes, int directories);
  void set_counts(uint32_t group, uint32_t blocks, uint32_t inodes, uint32_t directories);
  bool counts_changed() const { return changed_first_ < changed_end_; }
  Result<> write_counts(unsigned stage);

  // --- The superblock

  bool was_clean() const { return was_clean_; }
  bool marked() const { return marked_; }
  /// Before the first change: durably not clean.
  Result<> mark_in_use();
  /// When all is durable: durably clean, unless something is known to be wrong.
  Result<> mark_clean();
  /// Files may have 2 GiB and more from now on.
  Result<> allow_large_files();
  /// There is no clock that tells the date: that of the last mount.
  uint32_t now() const { return now_; }

 private:
  Result<> load_groups();
  Result<> load_group(uint32_t index, Bytes descriptor);
  template <typename Change> Result<> change_superblock(unsigned stage, Change change);

  Box<BlockCache> cache_;
  const bool writable_;
  bool broken_ = false;
  bool untidy_ = false;
  bool was_clean_ = false;
  bool marked_ = false;
  uint32_t now_ = 0;
  uint32_t free_blocks_ = 0;
  uint32_t free_inodes_ = 0;
  uint32_t changed_first_ = 0; ///< groups whose counts are not on the disk
  uint32_t changed_end_ = 0;
};

} // namespace clay::ext2
