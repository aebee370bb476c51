// Whose blocks are whose, and inodes that say it wrongly.

#include "kernel-src/fs/ext2/inode_table.h"
#include "kernel-src/fs/ext2/recovery.h"
#include "kernel-src/lib/le_fields.h"

namespace clay::ext2 {

namespace {

/// Blocks of a file that lie below a pointer of this level.
uint64_t span(const Geometry& geometry, unsigned level) {
  return uint64_t{1} << (level * (geometry.block_shift - 2));
}

/// Calls act(pointer, level, first block of the file below it) for all pointers of an inode.
template <typename Act> Result<> for_pointers(const Geometry& geometry, Inode& inode, Act act) {
  uint64_t first = 0;
  for (unsigned i = 0; i < kPointers; ++i) {
    const unsigned level = i < kDirectPointers ? 0 : i - kDirectPointers + 1;
    CLAY_TRY(act(inode.pointers[i], level, first));
    first += span(geometry, level);
  }
  return {};
}

uint64_t blocks_of(const Geometry& geometry, const Inode& inode) {
  return divide_up<uint64_t>(inode.size, geometry.block_bytes);
}

} // namespace

Result<bool> Recovery::read(uint32_t number, Inode& inode) {
  const InodePlace at = CLAY_TRY(inode_place(volume_, number));
  const Bytes bytes = at.block.bytes().subspan(at.offset, kInodeBytesOld);
  if (LeFields(bytes).u16(inode::kLinks) == 0) {
    return false;
  }
  CLAY_TRY(read_inode(volume_, bytes, inode));
  return true;
}

/// What is found on the way through one file.
struct Recovery::Walk {
  uint64_t keep;       ///< blocks that its size covers
  bool claims;         ///< or it only counts
  uint32_t blocks = 0; ///< that it has, pointers included
  bool behind = false; ///< something lies behind its end
};

Result<> Recovery::claim_tree(Walk& walk, uint32_t pointer, unsigned level, uint64_t first) {
  if (pointer == 0) {
    return {};
  }
  if (first >= walk.keep) {
    walk.behind = true;
    return {};
  }
  const BlockNumber block = CLAY_TRY(volume_.data_block(pointer));
  if (walk.claims && !CLAY_TRY(map_.claim(block))) {
    return volume_.corrupt("a block with two owners,", block.raw());
  }
  ++walk.blocks;
  if (level == 0) {
    return {};
  }
  const BlockRef ref = CLAY_TRY(volume_.read(block));
  const LeFields fields(ref.bytes());
  const uint64_t below = span(volume_.geometry, level - 1);
  for (uint32_t slot = 0; slot < volume_.geometry.pointers_per_block(); ++slot) {
    CLAY_TRY(claim_tree(walk, fields.u32(size_t{slot} * 4), level - 1, first + slot * below));
  }
  return {};
}

Result<> Recovery::claim_blocks(const Inode& inode, InodeFacts& facts) {
  const Geometry& geometry = volume_.geometry;
  Walk walk{blocks_of(geometry, inode), true};
  if (inode.has_blocks()) {
    Inode& all = const_cast<Inode&>(inode);
    CLAY_TRY(for_pointers(geometry, all, [&](uint32_t pointer, unsigned level, uint64_t first) {
      return claim_tree(walk, pointer, level, first);
    }));
  }
  uint64_t blocks = walk.blocks;
  if (inode.attributes != 0) {
    const BlockNumber block = CLAY_TRY(volume_.data_block(inode.attributes));
    const BlockRef ref = CLAY_TRY(volume_.read(block));
    if (LeFields(ref.bytes()).u32(attributes::kMagicAt) != kAttributesMagic ||
        !CLAY_TRY(map_.share(block))) {
      return volume_.corrupt("the block of attributes", block.raw());
    }
    ++blocks;
  }
  facts.to_fix = walk.behind || blocks * geometry.sectors_per_block() != inode.sectors;
  return {};
}

/// Blocks of the two inodes that do not follow the rules: any, and not theirs alone.
Result<> Recovery::claim_loosely(uint32_t number) {
  const InodePlace at = CLAY_TRY(inode_place(volume_, number));
  const LeFields fields(at.block.bytes().subspan(at.offset, kInodeBytesOld));
  for (unsigned i = 0; i < kPointers; ++i) {
    CLAY_TRY(claim_loose_tree(fields.u32(inode::kPointers + size_t{i} * 4),
                              i < kDirectPointers ? 0 : i - kDirectPointers + 1));
  }
  return {};
}

Result<> Recovery::claim_loose_tree(uint32_t pointer, unsigned level) {
  const BlockNumber block = volume_.checked(pointer);
  if (!block || !CLAY_TRY(map_.claim(block)) || level == 0) {
    return {};
  }
  const BlockRef ref = CLAY_TRY(volume_.read(block));
  const LeFields fields(ref.bytes());
  for (uint32_t slot = 0; slot < volume_.geometry.pointers_per_block(); ++slot) {
    CLAY_TRY(claim_loose_tree(fields.u32(size_t{slot} * 4), level - 1));
  }
  return {};
}

// --- Repair

/// Pointers to what lies behind the end become 0. Whose bits are set is decided elsewhere.
Result<> Recovery::cut_tree(uint32_t& pointer, unsigned level, uint64_t first, uint64_t keep) {
  const Geometry& geometry = volume_.geometry;
  if (pointer == 0 || first + span(geometry, level) <= keep) {
    return {};
  }
  if (first >= keep) {
    pointer = 0;
    return {};
  }
  const BlockNumber block = CLAY_TRY(volume_.data_block(pointer));
  const BlockRef ref = CLAY_TRY(volume_.read(block));
  const uint64_t below = span(geometry, level - 1);
  for (uint32_t slot = 0; slot < geometry.pointers_per_block(); ++slot) {
    const uint32_t old = LeFields(ref.bytes()).u32(size_t{slot} * 4);
    uint32_t raw = old;
    CLAY_TRY(cut_tree(raw, level - 1, first + slot * below, keep));
    if (raw != old) {
      const BlockEdit edit = CLAY_TRY(ref.edit(kStageFrees));
      store_le(edit.bytes().from(size_t{slot} * 4).data(), raw);
    }
  }
  return {};
}

Result<> Recovery::fix_inode(uint32_t number) {
  const Geometry& geometry = volume_.geometry;
  Inode inode(number);
  if (!CLAY_TRY(read(number, inode))) {
    return volume_.corrupt("inode", number);
  }
  Walk walk{blocks_of(geometry, inode), false};
  if (inode.has_blocks()) {
    CLAY_TRY(for_pointers(geometry, inode, [&](uint32_t& pointer, unsigned level, uint64_t first) {
      const Result<> cut = cut_tree(pointer, level, first, walk.keep);
      return cut.ok() ? claim_tree(walk, pointer, level, first) : cut;
    }));
  }
  const uint32_t blocks = walk.blocks + (inode.attributes != 0 ? 1 : 0);
  inode.sectors = blocks * geometry.sectors_per_block();
  return store_inode(volume_, inode, kStageFrees);
}

} // namespace clay::ext2
