// The blocks of one inode: direct ones, the trees of indirect ones, and its block of attributes.
// A block is entered only by the first one who names it, so the walk of all inodes together takes
// no longer than the image has blocks.

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {

/// Whether the block is this inode's from now on.
bool CheckerState::claim(Walk& walk, uint32_t block, uint64_t index) {
  if (!possible(block)) {
    found({.problem = Problem::kIllegalBlock,
           .inode = walk.number,
           .at = static_cast<uint32_t>(index),
           .got = block});
    walk.damaged = true;
    return false;
  }
  ++walk.blocks;
  const uint32_t bit = block - layout.first_block;
  if (used_blocks.claim(bit)) {
    owners[bit] = walk.number;
    return true;
  }
  const bool metadata_here = metadata.test(bit);
  found({.problem = metadata_here ? Problem::kBlockInMetadata : Problem::kBlockTwice,
         .inode = walk.number,
         .block = block,
         .at = static_cast<uint32_t>(index),
         .got = metadata_here ? 0 : owners[bit]});
  walk.damaged = true;
  return false;
}

void CheckerState::contents_block(Walk& walk, uint32_t block, uint64_t index) {
  const bool ours = claim(walk, block, index);
  if (!possible(block)) return;
  if (walk.type == EntryType::kDirectory && ours) directory_blocks.push_back(block);
  if (walk.data == 0) walk.first_data = block;
  ++walk.data;
  walk.behind = index + 1;
}

void CheckerState::walk_blocks(Walk& walk) {
  const uint8_t* pointers = walk.inode + inode::kPointers;
  for (uint32_t i = 0; i < kDirectPointers; ++i) {
    if (const uint32_t number = le32(pointers + i * 4); number != 0) {
      contents_block(walk, number, i);
    }
  }
  uint64_t index = kDirectPointers;
  uint64_t span = layout.pointers;
  for (unsigned level = 1; level <= 3; ++level) {
    const uint32_t number = le32(pointers + (kDirectPointers - 1 + level) * 4);
    if (number != 0) walk_indirect(walk, number, level, index);
    index += span;
    span *= layout.pointers;
  }
}

/// `index`: of the first block of contents below it.
void CheckerState::walk_indirect(Walk& walk, uint32_t number, unsigned level, uint64_t index) {
  if (!claim(walk, number, index)) return;
  const auto slot = static_cast<Slot>(static_cast<unsigned>(Slot::kIndirect1) + level - 1);
  const uint8_t* pointers = block(number, slot);
  if (pointers == nullptr) {
    walk.damaged = true;
    return;
  }
  uint64_t span = 1;
  for (unsigned i = 1; i < level; ++i)
    span *= layout.pointers;
  for (uint32_t i = 0; i < layout.pointers; i += 2) {
    const uint64_t pair = le64(pointers + size_t{i} * 4);
    if (pair == 0) continue;
    for (uint32_t half = 0; half < 2; ++half) {
      const auto next = static_cast<uint32_t>(pair >> (half * 32));
      if (next == 0) continue;
      const uint64_t at = index + (i + half) * span;
      if (level == 1) {
        contents_block(walk, next, at);
      } else {
        walk_indirect(walk, next, level - 1, at);
      }
    }
  }
}

/// One block of attributes may belong to several inodes, and counts them.
void CheckerState::attributes_block(Walk& walk) {
  const uint32_t number = le32(walk.inode + inode::kAttributes);
  if (number == 0) return;
  const auto wrong = [&](uint64_t got, uint64_t want) {
    found({.problem = Problem::kAttributeBlock,
           .inode = walk.number,
           .block = number,
           .got = got,
           .want = want});
  };
  if (!layout.has_attributes || !possible(number)) {
    walk.damaged = true;
    return wrong(number, 0);
  }
  for (SharedAttributes& known : shared_attributes) {
    if (known.block != number) continue;
    ++known.seen;
    ++walk.blocks;
    return;
  }
  if (!claim(walk, number, 0)) return;
  const uint8_t* header = block(number, Slot::kData);
  if (header == nullptr) return;
  if (le32(header + attributes::kMagicAt) != kAttributesMagic) {
    return wrong(le32(header + attributes::kMagicAt), kAttributesMagic);
  }
  if (le32(header + attributes::kBlocks) != 1) {
    return wrong(le32(header + attributes::kBlocks), 1);
  }
  shared_attributes.push_back({number, le32(header + attributes::kReferences), 1});
}

void CheckerState::attribute_references() {
  for (const SharedAttributes& shared : shared_attributes) {
    if (shared.references == shared.seen) continue;
    found({.problem = Problem::kAttributeBlock,
           .block = shared.block,
           .at = attributes::kReferences,
           .got = shared.references,
           .want = shared.seen});
  }
}

} // namespace kiln::worlds::ext2
