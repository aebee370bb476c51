#include "kernel-src/fs/ext2/trim.h"

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/fs/ext2/space.h"
#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/le_fields.h"

namespace clay::ext2 {

namespace {

/// Frees what lies behind a file's first `keep` blocks, from one pointer of the inode down.
class Trimmer {
 public:
  Trimmer(Volume& volume, Inode& inode, uint64_t keep)
      : volume_(volume), inode_(inode), keep_(keep), freer_(volume) {}

  /// `pointer`: of blocks of pointers `level` deep, or of a file's block with 0, that begin with
  /// the file's block `first`. 0 afterwards if all of it was behind.
  Result<> pointer(uint32_t& pointer, unsigned level, uint64_t first) {
    if (pointer == 0 || first + span(level) <= keep_) {
      return {};
    }
    const BlockNumber block = CLAY_TRY(volume_.data_block(pointer));
    if (is_on_the_way(block)) {
      return volume_.corrupt("a way in a circle, over block", block.raw());
    }
    if (level != 0) {
      way_[way_length_++] = block;
      const Result<> done = inside(block, level, first);
      --way_length_;
      CLAY_TRY(done);
    }
    if (first < keep_) {
      return {};
    }
    CLAY_TRY(freer_.free(block));
    volume_.cache().forget(block.raw());
    pointer = 0;
    const uint32_t sectors = volume_.geometry.sectors_per_block();
    inode_.sectors = inode_.sectors > sectors ? inode_.sectors - sectors : 0;
    return {};
  }

 private:
  /// Blocks of the file that lie below one pointer.
  uint64_t span(unsigned level) const {
    return uint64_t{1} << (level * (volume_.geometry.block_shift - 2));
  }
  bool is_on_the_way(BlockNumber block) const {
    for (unsigned i = 0; i < way_length_; ++i) {
      if (way_[i] == block) {
        return true;
      }
    }
    return false;
  }

  /// The pointers in a block of them; from the last, so that what is left is a file cut off.
  Result<> inside(BlockNumber block, unsigned level, uint64_t first) {
    const BlockRef ref = CLAY_TRY(volume_.read(block));
    const BlockEdit edit = CLAY_TRY(ref.edit(kStageFrees));
    const uint64_t below = span(level - 1);
    for (uint32_t slot = volume_.geometry.pointers_per_block(); slot != 0;) {
      --slot;
      const uint64_t begin = first + slot * below;
      if (begin + below <= keep_) {
        break;
      }
      uint8_t* const at = edit.bytes().from(size_t{slot} * 4).data();
      uint32_t raw = load_le<uint32_t>(at);
      const Result<> done = pointer(raw, level - 1, begin);
      store_le(at, raw);
      CLAY_TRY(done);
    }
    return {};
  }

  Volume& volume_;
  Inode& inode_;
  const uint64_t keep_;
  BlockFreer freer_;
  BlockNumber way_[kMostDepth];
  unsigned way_length_ = 0;
};

Result<> trim_to(Volume& volume, Inode& inode, uint64_t keep) {
  Trimmer trimmer(volume, inode, keep);
  uint64_t first = kDirectPointers;
  uint64_t firsts[kMostDepth];
  for (unsigned level = 1; level <= kMostDepth; ++level) {
    firsts[level - 1] = first;
    first += uint64_t{1} << (level * (volume.geometry.block_shift - 2));
  }
  for (unsigned level = kMostDepth; level != 0; --level) {
    uint32_t& pointer = inode.pointers[kDirectPointers + level - 1];
    CLAY_TRY(trimmer.pointer(pointer, level, firsts[level - 1]));
  }
  for (unsigned i = kDirectPointers; i != 0;) {
    --i;
    CLAY_TRY(trimmer.pointer(inode.pointers[i], 0, i));
  }
  return {};
}

Result<> zero_behind_end(Volume& volume, const Inode& inode) {
  const auto end = static_cast<size_t>(inode.size % volume.geometry.block_bytes);
  if (end == 0) {
    return {};
  }
  const uint64_t index = inode.size >> volume.geometry.block_shift;
  const BlockNumber number = CLAY_TRY(find_block(volume, inode, index));
  if (!number) {
    return {};
  }
  const BlockRef block = CLAY_TRY(volume.read(number));
  const BlockEdit edit = CLAY_TRY(block.edit(kStageFrees));
  const MutableBytes rest = edit.bytes().from(end);
  memset(rest.data(), 0, rest.size());
  return {};
}

} // namespace

Result<> trim(Volume& volume, Inode& inode) {
  CLAY_TRY(trim_to(volume, inode, divide_up<uint64_t>(inode.size, volume.geometry.block_bytes)));
  return zero_behind_end(volume, inode);
}

Result<> trim_all(Volume& volume, Inode& inode) { return trim_to(volume, inode, 0); }

Result<> release_attributes(Volume& volume, Inode& inode) {
  if (inode.attributes == 0) {
    return {};
  }
  const BlockNumber number = CLAY_TRY(volume.data_block(inode.attributes));
  const BlockRef block = CLAY_TRY(volume.read(number));
  const LeFields fields(block.bytes());
  const uint32_t references = fields.u32(attributes::kReferences);
  if (fields.u32(attributes::kMagicAt) != kAttributesMagic || references == 0) {
    return volume.corrupt("the block of attributes", number.raw());
  }
  if (references > 1) {
    const BlockEdit edit = CLAY_TRY(block.edit(kStageFrees));
    store_le(edit.bytes().data() + attributes::kReferences, references - 1);
  } else {
    CLAY_TRY(BlockFreer(volume).free(number));
    volume.cache().forget(number.raw());
  }
  inode.attributes = 0;
  return {};
}

} // namespace clay::ext2
