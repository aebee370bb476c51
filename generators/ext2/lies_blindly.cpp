#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {
namespace {

struct Region {
  uint32_t block;
  uint32_t at;
  uint32_t bytes;
};

Region any_metadata(Scene& scene) {
  const Survey& there = scene.there;
  const Survey::Group& group = there.groups[scene.group()];
  const uint32_t whole = there.block_bytes;
  switch (scene.data.below(5)) {
  case 0:
    return {group.block_bitmap, 0, whole};
  case 1:
    return {group.inode_bitmap, 0, whole};
  case 2:
    return {group.table + static_cast<uint32_t>(scene.data.below(there.table_blocks)), 0, whole};
  case 3: {
    const Survey::Pointer* pointer = scene.pointer();
    if (pointer != nullptr && (pointer->level != 0 || pointer->directory)) {
      return {pointer->to, 0, whole};
    }
    return {there.first_block + 1, 0, whole};
  }
  default:
    return {kSuperAt / whole, kSuperAt % whole, 280};
  }
}

bool region(Scene& scene, Lie lie, Region& out) {
  const Survey& there = scene.there;
  switch (lie) {
  case Lie::kSuperBytes:
    out = {kSuperAt / there.block_bytes, kSuperAt % there.block_bytes, 280};
    return true;
  case Lie::kDescriptorBytes: {
    const uint32_t at = scene.group() * kDescriptorBytes;
    out = {there.first_block + 1 + at / there.block_bytes, at % there.block_bytes,
           kDescriptorBytes};
    return true;
  }
  case Lie::kInodeBytes: {
    const Survey::Node* node = scene.node(0, true);
    if (node == nullptr) return false;
    out = {node->block, node->at, there.inode_bytes};
    return true;
  }
  case Lie::kDirectoryBytes: {
    if (there.entries.empty()) return false;
    const auto which = static_cast<size_t>(scene.data.below(there.entries.size()));
    const Survey::Entry& entry = there.entries[which];
    const uint32_t bytes = kEntryHeader + entry.name_bytes;
    out = {entry.block, entry.at, bytes < entry.length ? bytes : entry.length};
    return true;
  }
  case Lie::kMetadataBytes:
    out = any_metadata(scene);
    return true;
  default:
    return false;
  }
}

} // namespace

bool lie_blindly(Scene& scene, Lie lie) {
  Region where = {};
  if (!region(scene, lie, where)) return false;
  const uint64_t changes = 1 + scene.data.below(4);
  for (uint64_t i = 0; i < changes; ++i) {
    const auto at = static_cast<uint32_t>(scene.data.below(where.bytes));
    uint8_t* byte = scene.bytes(where.block, where.at + at);
    if (scene.data.boolean()) {
      *byte = scene.data.u8();
    } else {
      *byte ^= static_cast<uint8_t>(1U << scene.data.below(8));
    }
  }
  return true;
}

} // namespace kiln::gen::ext2
