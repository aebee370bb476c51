#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {
namespace {

/// Flips a bit of a bitmap that is `set` now; false: there is none.
bool flip_one(Scene& scene, uint32_t bitmap, uint32_t from, uint32_t bits, bool set) {
  const auto begin = static_cast<uint32_t>(scene.data.below(bits - from));
  for (uint32_t i = 0; i < bits - from; ++i) {
    const uint32_t bit = from + (begin + i) % (bits - from);
    if (scene.bit(bitmap, bit) != set) continue;
    scene.flip(bitmap, bit);
    return true;
  }
  return false;
}

uint32_t group_blocks(const Survey& there, uint32_t group) {
  return group + 1 < there.groups_count()
             ? there.blocks_per_group
             : there.blocks - there.first_block - group * there.blocks_per_group;
}

/// Whether the summary is told too, so that the bit alone is wrong.
void change_count(Scene& scene, uint32_t group, uint32_t in_group, uint32_t in_super, int by) {
  if (scene.data.boolean()) return;
  uint8_t* count = scene.descriptor(group) + in_group;
  store_le(count, static_cast<uint16_t>(le16(count) + by));
  uint8_t* total = scene.super() + in_super;
  store_le(total, le32(total) + static_cast<uint32_t>(by));
}

bool block_bit(Scene& scene, bool set) {
  const uint32_t group = scene.group();
  if (!flip_one(scene, scene.there.groups[group].block_bitmap, 0, group_blocks(scene.there, group),
                set)) {
    return false;
  }
  change_count(scene, group, group::kFreeBlocks, super::kFreeBlocks, set ? 1 : -1);
  return true;
}

bool inode_bit(Scene& scene, bool set) {
  const uint32_t group = scene.group();
  if (!flip_one(scene, scene.there.groups[group].inode_bitmap, 0, scene.there.inodes_per_group,
                set)) {
    return false;
  }
  change_count(scene, group, group::kFreeInodes, super::kFreeInodes, set ? 1 : -1);
  return true;
}

bool padding(Scene& scene) {
  const uint32_t group = scene.group();
  const uint32_t bits = 8 * scene.there.block_bytes;
  if (scene.data.boolean()) {
    const uint32_t used = group_blocks(scene.there, group);
    return used < bits && flip_one(scene, scene.there.groups[group].block_bitmap, used, bits, true);
  }
  const uint32_t used = scene.there.inodes_per_group;
  return used < bits && flip_one(scene, scene.there.groups[group].inode_bitmap, used, bits, true);
}

} // namespace

bool lie_in_groups(Scene& scene, Lie lie) {
  const Survey& there = scene.there;
  switch (lie) {
  case Lie::kBlockMarkedFree:
    return block_bit(scene, true);
  case Lie::kBlockMarkedUsed:
    return block_bit(scene, false);
  case Lie::kInodeMarkedFree:
    return inode_bit(scene, true);
  case Lie::kInodeMarkedUsed:
    return inode_bit(scene, false);
  case Lie::kPadding:
    return padding(scene);
  default:
    break;
  }
  const uint32_t group = scene.group();
  uint8_t* descriptor = scene.descriptor(group);
  const Survey::Group& here = there.groups[group];
  const Survey::Group& next = there.groups[(group + 1) % there.groups.size()];
  const auto place = [&](uint32_t at, uint32_t elsewhere) {
    scene.other32(descriptor + at,
                  {0, there.first_block, here.block_bitmap, here.inode_bitmap, here.table,
                   elsewhere, there.blocks - 1, there.blocks, here.table + there.table_blocks});
    return true;
  };
  const auto count = [&](uint32_t at, uint32_t most) {
    scene.other16(descriptor + at, {most, most + 1, 0xFFFF});
    return true;
  };
  switch (lie) {
  case Lie::kBlockBitmapPlace:
    return place(group::kBlockBitmap, next.block_bitmap);
  case Lie::kInodeBitmapPlace:
    return place(group::kInodeBitmap, next.inode_bitmap);
  case Lie::kTablePlace:
    return place(group::kInodeTable, next.table);
  case Lie::kGroupFreeBlocks:
    return count(group::kFreeBlocks, there.blocks_per_group);
  case Lie::kGroupFreeInodes:
    return count(group::kFreeInodes, there.inodes_per_group);
  case Lie::kGroupDirectories:
    return count(group::kDirectories, there.inodes_per_group);
  case Lie::kGroupFlags: {
    const uint32_t fields[] = {group::kFlags, group::kUnused, group::kChecksum};
    scene.other16(descriptor + scene.data.pick(fields), {1, 2, 4, 7});
    return true;
  }
  default:
    return false;
  }
}

} // namespace kiln::gen::ext2
