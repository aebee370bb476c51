// What an image says in summary: bitmaps, descriptors, superblock and their copies.

#include <cstring>

#include "generators/ext2/maker.h"
#include "generators/ext2/maker_time.h"

namespace kiln::gen::ext2 {
namespace {

/// `bits` from bit `from` of a row on, and ones up to the end of the block.
void put_bitmap(uint8_t* block, uint32_t block_bytes, const std::vector<uint8_t>& row,
                uint32_t from, uint32_t bits) {
  const uint32_t bytes = bits / 8;
  std::memcpy(block, row.data() + from / 8, (bits + 7) / 8); // all groups begin at a byte
  std::memset(block + (bits + 7) / 8, 0xFF, block_bytes - (bits + 7) / 8);
  if (bits % 8 != 0) block[bytes] |= static_cast<uint8_t>(0xFF << (bits % 8));
}

} // namespace

void Maker::write_bitmaps() {
  for (uint32_t i = 0; i < group_count_; ++i) {
    const Group& group = groups_[i];
    put_bitmap(image_.write(group.block_bitmap), shape_.block_bytes, used_blocks_,
               i * shape_.blocks_per_group, group_blocks(i));
    put_bitmap(image_.write(group.inode_bitmap), shape_.block_bytes, used_inodes_,
               i * shape_.inodes_per_group, shape_.inodes_per_group);
    const uint32_t at = i * kDescriptorBytes;
    uint8_t* descriptor =
        image_.write(first_block_ + 1 + at / shape_.block_bytes) + at % shape_.block_bytes;
    store_le(descriptor + group::kBlockBitmap, group.block_bitmap);
    store_le(descriptor + group::kInodeBitmap, group.inode_bitmap);
    store_le(descriptor + group::kInodeTable, group.table);
    store_le(descriptor + group::kFreeBlocks, static_cast<uint16_t>(group.free_blocks));
    store_le(descriptor + group::kFreeInodes, static_cast<uint16_t>(group.free_inodes));
    store_le(descriptor + group::kDirectories, static_cast<uint16_t>(group.directories));
  }
}

void Maker::write_super() {
  uint8_t* super = image_.write(kSuperAt / shape_.block_bytes) + kSuperAt % shape_.block_bytes;
  const auto put = [super](uint32_t at, uint32_t value) { store_le(super + at, value); };
  const auto put16 = [super](uint32_t at, uint32_t value) {
    store_le(super + at, static_cast<uint16_t>(value));
  };
  const auto shift = static_cast<uint32_t>(__builtin_ctz(shape_.block_bytes / 1024));
  put(super::kInodes, group_count_ * shape_.inodes_per_group);
  put(super::kBlocks, shape_.blocks);
  put(super::kFreeBlocks, free_blocks_);
  put(super::kFreeInodes, free_inodes_);
  put(super::kFirstBlock, first_block_);
  put(super::kLogBlockSize, shift);
  put(super::kLogFragmentSize, shift);
  put(super::kBlocksPerGroup, shape_.blocks_per_group);
  put(super::kFragmentsPerGroup, shape_.blocks_per_group);
  put(super::kInodesPerGroup, shape_.inodes_per_group);
  put(super::kWriteTime, kTime);
  put16(super::kMostMounts, 0xFFFF);
  put16(super::kMagicAt, kMagic);
  put16(super::kState, kStateValid);
  put16(super::kErrors, 1);
  put(super::kLastCheck, kTime);
  put(super::kRevision, shape_.revision);
  if (shape_.revision == 0) return;
  put(super::kFirstInode, kFirstFileInode0);
  put16(super::kInodeSize, shape_.inode_bytes);
  put(super::kCompatible,
      (shape_.index ? kIndexFeature : 0) | (shape_.attributes ? kAttributesFeature : 0));
  put(super::kIncompatible, shape_.types ? kFileTypeFeature : 0);
  put(super::kReadOnly,
      (shape_.sparse ? kSparseFeature : 0) | (shape_.large_files ? kLargeFileFeature : 0));
  std::memcpy(super + super::kUuid, "kiln's ext2 disk", 16);
  if (shape_.index) {
    std::memcpy(super + super::kHashSeed, "the seed of names", 16);
    super[super::kHashVersion] = 1;
  }
  put(super::kMadeTime, kTime);
}

Made Maker::finish() {
  write_bitmaps();
  write_super();
  const uint8_t* super = image_.read(kSuperAt / shape_.block_bytes) + kSuperAt % shape_.block_bytes;
  for (uint32_t group = 1; group < group_count_; ++group) {
    if (!has_super(group, shape_.sparse)) continue;
    uint8_t* copy = image_.write(group_first(group));
    std::memcpy(copy, super, kSuperBytes);
    if (shape_.revision != 0) {
      store_le(copy + super::kGroup, static_cast<uint16_t>(group));
    }
    for (uint32_t i = 0; i < descriptor_blocks_; ++i) {
      std::memcpy(image_.write(group_first(group) + 1 + i), image_.read(first_block_ + 1 + i),
                  shape_.block_bytes);
    }
  }
  return {shape_, std::move(image_), std::move(meant_)};
}

} // namespace kiln::gen::ext2
