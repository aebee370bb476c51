#include "kernel-src/fs/ext2/recovery_map.h"

#include <utility>

#include "kernel-src/lib/bitmap.h"
#include "kernel-src/task/heap.h"

namespace clay::ext2 {

namespace {

using Bits = BitmapView<uint8_t>;

} // namespace

Result<Box<RecoveryMap>> RecoveryMap::create(Volume& volume) {
  Array<uint8_t*> blocks = CLAY_TRY(Array<uint8_t*>::create(volume.geometry.groups));
  Array<InodeFacts*> inodes = CLAY_TRY(Array<InodeFacts*>::create(volume.geometry.groups));
  return make_box<RecoveryMap>(kHalAllocMayWait, volume, std::move(blocks), std::move(inodes));
}

RecoveryMap::RecoveryMap(Volume& volume, Array<uint8_t*> blocks, Array<InodeFacts*> inodes)
    : volume_(volume), blocks_(std::move(blocks)), inodes_(std::move(inodes)) {}

RecoveryMap::~RecoveryMap() {
  for (uint8_t* const bits : blocks_.span()) {
    hal_free(bits);
  }
  for (InodeFacts* const facts : inodes_.span()) {
    hal_free(facts);
  }
  attributes_.for_each([this](AttributeFacts& facts) {
    attributes_.remove(facts);
    heap_delete(&facts);
  });
}

Result<Bytes> RecoveryMap::block_bits(uint32_t index) {
  const Geometry& geometry = volume_.geometry;
  if (blocks_[index] == nullptr) {
    auto* const bytes = static_cast<uint8_t*>(hal_alloc(geometry.block_bytes, 8, kHalAllocMayWait));
    if (bytes == nullptr) {
      return Error::kNoMemory;
    }
    blocks_[index] = bytes;
    memset(bytes, 0, geometry.block_bytes);
    const size_t all = size_t{geometry.block_bytes} * 8;
    Bits bits(MutableBytes(bytes, geometry.block_bytes), all);
    const Group& group = volume_.groups[index];
    const uint32_t first = geometry.first_of_group(index);
    const uint32_t size = geometry.blocks_of_group(index);
    bits.set_range(0, group.head);
    bits.set(group.block_bitmap - first);
    bits.set(group.inode_bitmap - first);
    bits.set_range(group.table - first, geometry.table_blocks);
    bits.set_range(size, all - size);
  }
  return Bytes(blocks_[index], geometry.block_bytes);
}

Result<bool> RecoveryMap::claim(BlockNumber block) {
  const Geometry& geometry = volume_.geometry;
  const uint32_t index = geometry.group_of_block(block.raw());
  CLAY_TRY(block_bits(index));
  Bits bits(MutableBytes(blocks_[index], geometry.block_bytes), geometry.blocks_of_group(index));
  const uint32_t bit = block.raw() - geometry.first_of_group(index);
  if (bits.test(bit)) {
    return false;
  }
  bits.set(bit);
  return true;
}

Result<bool> RecoveryMap::share(BlockNumber block) {
  AttributeFacts* facts = attributes_.find(block.raw());
  if (facts == nullptr) {
    if (!CLAY_TRY(claim(block))) {
      return false;
    }
    facts = heap_new<AttributeFacts>(kHalAllocMayWait, block.raw());
    if (facts == nullptr) {
      return Error::kNoMemory;
    }
    attributes_.insert(*facts);
  }
  ++facts->references;
  return true;
}

Result<InodeFacts*> RecoveryMap::facts(uint32_t number) {
  const Geometry& geometry = volume_.geometry;
  InodeFacts*& of_group = inodes_[geometry.group_of_inode(number)];
  if (of_group == nullptr) {
    Array<InodeFacts> made = CLAY_TRY(Array<InodeFacts>::create(geometry.inodes_per_group));
    of_group = made.leak();
  }
  return &of_group[(number - 1) % geometry.inodes_per_group];
}

const InodeFacts* RecoveryMap::known(uint32_t number) const {
  const Geometry& geometry = volume_.geometry;
  const InodeFacts* const of_group = inodes_[geometry.group_of_inode(number)];
  return of_group == nullptr ? nullptr : &of_group[(number - 1) % geometry.inodes_per_group];
}

void RecoveryMap::inode_bits(uint32_t group, MutableBytes bytes) const {
  const Geometry& geometry = volume_.geometry;
  const size_t all = bytes.size() * 8;
  Bits bits(bytes, all);
  bits.clear_range(0, all);
  bits.set_range(geometry.inodes_per_group, all - geometry.inodes_per_group);
  for (uint32_t i = 0; i < geometry.inodes_per_group; ++i) {
    const uint32_t number = group * geometry.inodes_per_group + i + 1;
    const InodeFacts* const facts = known(number);
    if (number < geometry.first_inode || (facts != nullptr && facts->links != 0)) {
      bits.set(i);
    }
  }
}

} // namespace clay::ext2
