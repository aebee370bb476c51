#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {
namespace {

/// A block of another file, or of the same one.
uint32_t somebodys_block(Scene& scene, const Survey::Pointer& mine, bool same_file) {
  const auto& all = scene.there.pointers;
  const auto from = static_cast<size_t>(scene.data.below(all.size()));
  for (size_t i = 0; i < all.size(); ++i) {
    const Survey::Pointer& other = all[(from + i) % all.size()];
    if ((other.inode == mine.inode) == same_file && other.to != mine.to) return other.to;
  }
  return 0;
}

uint32_t metadata_block(Scene& scene) {
  const Survey& there = scene.there;
  const Survey::Group& group = there.groups[scene.group()];
  const uint32_t blocks[] = {group.block_bitmap,    group.inode_bitmap,
                             group.table,           there.first_block,
                             there.first_block + 1, group.table + there.table_blocks - 1};
  return scene.data.pick(blocks);
}

/// A pointer of a file that is 0: one of its direct ones, or in an indirect block.
uint8_t* hole(Scene& scene) {
  if (const Survey::Pointer* pointer = scene.pointer();
      pointer != nullptr && pointer->level != 0 && scene.data.boolean()) {
    for (uint32_t tries = 0; tries < 8; ++tries) {
      const auto at = static_cast<uint32_t>(scene.data.below(scene.there.block_bytes / 4)) * 4;
      if (le32(scene.look(pointer->to, at)) == 0) return scene.bytes(pointer->to, at);
    }
  }
  const Survey::Node* node = scene.node(scene.data.boolean() ? kModeDirectory : kModeFile, true);
  if (node == nullptr) return nullptr;
  const auto from = static_cast<uint32_t>(scene.data.below(kPointers));
  for (uint32_t i = 0; i < kPointers; ++i) {
    uint8_t* pointer = scene.inode(*node) + inode::kPointers + (from + i) % kPointers * 4;
    if (le32(pointer) == 0) return pointer;
  }
  return nullptr;
}

bool circle(Scene& scene) {
  const Survey::Pointer* pointer = nullptr;
  for (uint32_t tries = 0; tries < 16 && (pointer == nullptr || pointer->level == 0); ++tries) {
    pointer = scene.pointer();
  }
  if (pointer == nullptr || pointer->level == 0) return false;
  const auto at = static_cast<uint32_t>(scene.data.below(scene.there.block_bytes / 4)) * 4;
  const uint32_t to =
      scene.data.boolean() && pointer->block != pointer->to ? pointer->block : pointer->to;
  store_le(scene.bytes(pointer->to, at), to);
  return true;
}

} // namespace

bool lie_in_blocks(Scene& scene, Lie lie) {
  const Survey& there = scene.there;
  if (lie == Lie::kCircle) return circle(scene);
  if (lie == Lie::kStrayPointer) {
    uint8_t* pointer = hole(scene);
    if (pointer == nullptr) return false;
    store_le(pointer, 1 + static_cast<uint32_t>(scene.data.below(there.blocks)));
    return true;
  }
  const Survey::Pointer* pointer = scene.pointer();
  if (pointer == nullptr) return false;
  uint8_t* at = scene.bytes(pointer->block, pointer->at);
  uint32_t to = 0;
  switch (lie) {
  case Lie::kImpossibleBlock: {
    const uint32_t beyond[] = {there.blocks,
                               there.blocks + 1,
                               UINT32_MAX,
                               0x80000000U,
                               there.blocks * 2,
                               UINT32_MAX - 1,
                               scene.data.u32() | 0x10000000U};
    store_le(at, scene.data.pick(beyond));
    return true;
  }
  case Lie::kMetadataBlock:
    store_le(at, metadata_block(scene));
    return true;
  case Lie::kSharedBlock:
    to = somebodys_block(scene, *pointer, false);
    break;
  case Lie::kRepeatedBlock:
    to = somebodys_block(scene, *pointer, true);
    break;
  case Lie::kLostPointer:
    store_le<uint32_t>(at, 0);
    return true;
  default:
    break;
  }
  if (to == 0) return false;
  store_le(at, to);
  return true;
}

} // namespace kiln::gen::ext2
