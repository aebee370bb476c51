// Group descriptors: where bitmaps and inode tables lie, and the map of all metadata.

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {

bool CheckerState::read_groups() {
  const uint32_t per_block = layout.block_bytes / kDescriptorBytes;
  bool usable = true;
  groups.resize(layout.groups);
  for (uint32_t i = 0; i < layout.descriptor_blocks; ++i) {
    const uint8_t* descriptors = block(layout.first_block + 1 + i, Slot::kGroup);
    if (descriptors == nullptr) return false;
    for (uint32_t j = 0; j < per_block && i * per_block + j < layout.groups; ++j) {
      usable &= group_places(i * per_block + j, descriptors + size_t{j} * kDescriptorBytes);
    }
  }
  if (!usable) return false;
  for (uint32_t group = 0; group < layout.groups; ++group)
    mark_group(group);
  return true;
}

/// Whether the group's metadata can be looked at.
bool CheckerState::group_places(uint32_t group, const uint8_t* descriptor) {
  GroupFacts& facts = groups[group];
  facts = {.block_bitmap = le32(descriptor + group::kBlockBitmap),
           .inode_bitmap = le32(descriptor + group::kInodeBitmap),
           .table = le32(descriptor + group::kInodeTable),
           .free_blocks = le16(descriptor + group::kFreeBlocks),
           .free_inodes = le16(descriptor + group::kFreeInodes),
           .directories = le16(descriptor + group::kDirectories)};
  const uint32_t first = layout.group_first(group);
  const uint32_t blocks = layout.group_blocks(group);
  bool usable = true;
  const auto inside = [&](uint32_t block, uint32_t count, Problem problem) {
    if (block >= first && block - first < blocks && count <= blocks - (block - first)) return;
    found({.problem = problem, .group = group, .block = block});
    usable &= possible(block) && count <= layout.blocks - block;
  };
  inside(facts.block_bitmap, 1, Problem::kBlockBitmapPlace);
  inside(facts.inode_bitmap, 1, Problem::kInodeBitmapPlace);
  inside(facts.table, layout.table_blocks, Problem::kInodeTablePlace);
  return usable;
}

void CheckerState::mark_group(uint32_t group) {
  if (has_super(group, layout.sparse)) {
    const uint32_t wanted = 1 + layout.descriptor_blocks + layout.reserved_descriptors;
    const uint32_t blocks = layout.group_blocks(group);
    mark_metadata(layout.group_first(group), wanted < blocks ? wanted : blocks, group);
  }
  mark_metadata(groups[group].block_bitmap, 1, group);
  mark_metadata(groups[group].inode_bitmap, 1, group);
  mark_metadata(groups[group].table, layout.table_blocks, group);
}

void CheckerState::mark_metadata(uint32_t block, uint32_t count, uint32_t group) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bit = block + i - layout.first_block;
    metadata.set(bit);
    if (!used_blocks.claim(bit)) {
      found({.problem = Problem::kGroupOverlap, .group = group, .block = block + i});
    }
  }
}

} // namespace kiln::worlds::ext2
