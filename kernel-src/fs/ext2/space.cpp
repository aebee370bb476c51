#include "kernel-src/fs/ext2/space.h"

#include "kernel-src/lib/bitmap.h"

namespace clay::ext2 {

namespace {

using Bits = BitmapView<const uint8_t>;
using MutableBits = BitmapView<uint8_t>;

/// A clear bit among the first `size`, from `from` on if there is one.
size_t find_free(Bytes bytes, size_t size, size_t from) {
  const Bits bits(bytes, size);
  const size_t found = bits.find_clear(from);
  return found != kNoBit || from == 0 ? found : bits.find_clear(0);
}

Result<> set_bit(Volume& volume, uint32_t bitmap, size_t size, size_t bit) {
  const BlockRef block = CLAY_TRY(volume.cache().read(bitmap));
  const BlockEdit edit = CLAY_TRY(block.edit(kStageNew));
  MutableBits(edit.bytes(), size).set(bit);
  return {};
}

Result<> clear_bit(Volume& volume, uint32_t bitmap, size_t size, size_t bit, unsigned stage) {
  const BlockRef block = CLAY_TRY(volume.cache().read(bitmap));
  if (!Bits(block.bytes(), size).test(bit)) {
    return volume.corrupt("a bit, clear already, in bitmap", bitmap);
  }
  const BlockEdit edit = CLAY_TRY(block.edit(stage));
  MutableBits(edit.bytes(), size).clear(bit);
  return {};
}

Result<BlockNumber> take_block_of(Volume& volume, uint32_t index, uint32_t from) {
  const Geometry& geometry = volume.geometry;
  const Group& group = volume.groups[index];
  const uint32_t size = geometry.blocks_of_group(index);
  size_t bit = 0;
  {
    const BlockRef bitmap = CLAY_TRY(volume.cache().read(group.block_bitmap));
    bit = find_free(bitmap.bytes(), size, from);
  }
  if (bit == kNoBit) {
    return volume.corrupt("the count of free blocks of group", index);
  }
  const auto raw = static_cast<uint32_t>(geometry.first_of_group(index) + bit);
  const BlockNumber block = CLAY_TRY(volume.data_block(raw));
  CLAY_TRY(set_bit(volume, group.block_bitmap, size, bit));
  volume.count(index, -1, 0, 0);
  return block;
}

Result<uint32_t> take_inode_of(Volume& volume, uint32_t index, bool directory) {
  const Geometry& geometry = volume.geometry;
  const Group& group = volume.groups[index];
  const uint32_t size = geometry.inodes_per_group;
  size_t bit = 0;
  {
    const BlockRef bitmap = CLAY_TRY(volume.cache().read(group.inode_bitmap));
    bit = find_free(bitmap.bytes(), size, 0);
  }
  if (bit == kNoBit) {
    return volume.corrupt("the count of free inodes of group", index);
  }
  const auto number = static_cast<uint32_t>(index * size + bit + 1);
  if (number < geometry.first_inode) {
    return volume.corrupt("the bit, clear, of reserved inode", number);
  }
  CLAY_TRY(set_bit(volume, group.inode_bitmap, size, bit));
  volume.count(index, 0, -1, directory ? 1 : 0);
  return number;
}

Result<> clear_inode_bit(Volume& volume, uint32_t number, bool directory, unsigned stage) {
  const Geometry& geometry = volume.geometry;
  const uint32_t index = geometry.group_of_inode(number);
  const uint32_t size = geometry.inodes_per_group;
  if (volume.groups[index].free_inodes >= size) {
    return volume.corrupt("the count of free inodes of group", index);
  }
  CLAY_TRY(clear_bit(volume, volume.groups[index].inode_bitmap, size, (number - 1) % size, stage));
  volume.count(index, 0, 1, directory ? -1 : 0);
  return {};
}

} // namespace

Result<BlockNumber> take_block(Volume& volume, uint32_t goal) {
  const Geometry& geometry = volume.geometry;
  if (volume.free_blocks() == 0) {
    return Error::kNoSpace;
  }
  const bool inside = goal >= geometry.first_block && goal < geometry.blocks;
  const uint32_t first = inside ? geometry.group_of_block(goal) : 0;
  uint32_t from = inside ? goal - geometry.first_of_group(first) : 0;
  for (uint32_t i = 0, index = first; i < geometry.groups; ++i) {
    if (volume.groups[index].free_blocks != 0) {
      return take_block_of(volume, index, from);
    }
    from = 0;
    index = index + 1 < geometry.groups ? index + 1 : 0;
  }
  return volume.corrupt("the sum of free blocks,", volume.free_blocks());
}

void put_back_block(Volume& volume, BlockNumber block) {
  const Geometry& geometry = volume.geometry;
  const uint32_t index = geometry.group_of_block(block.raw());
  volume.cache().forget(block.raw());
  const Result<> cleared =
      clear_bit(volume, volume.groups[index].block_bitmap, geometry.blocks_of_group(index),
                block.raw() - geometry.first_of_group(index), kStageNew);
  if (cleared.ok()) {
    volume.count(index, 1, 0, 0);
  } else {
    volume.leave_untidy();
  }
}

Result<uint32_t> take_inode(Volume& volume, uint32_t group, bool directory) {
  const Geometry& geometry = volume.geometry;
  if (volume.free_inodes() == 0) {
    return Error::kNoSpace;
  }
  for (uint32_t i = 0, index = group; i < geometry.groups; ++i) {
    if (volume.groups[index].free_inodes != 0) {
      return take_inode_of(volume, index, directory);
    }
    index = index + 1 < geometry.groups ? index + 1 : 0;
  }
  return volume.corrupt("the sum of free inodes,", volume.free_inodes());
}

void put_back_inode(Volume& volume, uint32_t number, bool directory) {
  if (!clear_inode_bit(volume, number, directory, kStageNew).ok()) {
    volume.leave_untidy();
  }
}

Result<> free_inode(Volume& volume, uint32_t number, bool directory) {
  return clear_inode_bit(volume, number, directory, kStageFrees);
}

Result<> BlockFreer::free(BlockNumber block) {
  const Geometry& geometry = volume_.geometry;
  const uint32_t index = geometry.group_of_block(block.raw());
  const Group& group = volume_.groups[index];
  if (!bitmap_.ok() || group_ != index) {
    bitmap_ = Error::kNotFound;
    const BlockRef bitmap = CLAY_TRY(volume_.cache().read(group.block_bitmap));
    bitmap_ = bitmap.edit(kStageFrees);
    CLAY_TRY(bitmap_.ok() ? Result<>() : bitmap_.error());
    group_ = index;
  }
  MutableBits bits(bitmap_.value().bytes(), geometry.blocks_of_group(index));
  const uint32_t bit = block.raw() - geometry.first_of_group(index);
  if (!bits.test(bit) || group.free_blocks >= bits.size()) {
    return volume_.corrupt("the bit, clear already, of block", block.raw());
  }
  bits.clear(bit);
  volume_.count(index, 1, 0, 0);
  return {};
}

} // namespace clay::ext2
