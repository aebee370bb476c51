#include "kernel-src/fs/ext2/block_map.h"

#include "kernel-src/fs/ext2/space.h"
#include "kernel-src/lib/endian.h"

namespace clay::ext2 {

namespace {

size_t pointer_at(uint32_t slot) { return size_t{slot} * 4; }

/// The part of a path that is there.
struct Walked {
  unsigned depth = 0; ///< of the last pointer looked at; it is 0, or the path's end
  BlockNumber block;  ///< what that one leads to
  BlockRef parent;    ///< the block that has it, unless it is in the inode
};

Result<Walked> walk(Volume& volume, const Inode& inode, const BlockPath& path) {
  Walked at;
  uint32_t raw = inode.pointers[path.slots[0]];
  for (;;) {
    if (raw == 0) {
      return at;
    }
    at.block = CLAY_TRY(volume.data_block(raw));
    if (at.depth == path.depth) {
      return at;
    }
    at.parent = CLAY_TRY(volume.read(at.block));
    at.block = {};
    ++at.depth;
    raw = load_le<uint32_t>(at.parent.bytes().from(pointer_at(path.slots[at.depth])).data());
  }
}

/// Blocks taken for one path; given back if they are not kept.
class Taken {
 public:
  explicit Taken(Volume& volume) : volume_(volume) {}
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    while (count_ != 0) {
      put_back_block(volume_, blocks_[--count_]);
    }
  }

  Result<> take(uint32_t goal) {
    blocks_[count_] = CLAY_TRY(take_block(volume_, goal));
    ++count_;
    CLAY_TRY(volume_.cache().fresh(blocks_[count_ - 1].raw(), kStageNew));
    return {};
  }
  BlockNumber operator[](unsigned index) const { return blocks_[index]; }
  void keep() { count_ = 0; }

 private:
  Volume& volume_;
  BlockNumber blocks_[kMostDepth + 1];
  unsigned count_ = 0;
};

Result<> set_pointer(const BlockRef& block, uint32_t slot, BlockNumber to, unsigned stage) {
  const BlockEdit edit = CLAY_TRY(block.edit(stage));
  store_le(edit.bytes().from(pointer_at(slot)).data(), to.raw());
  return {};
}

uint32_t goal_of(const Volume& volume, const Inode& inode) {
  return inode.goal != 0
             ? inode.goal
             : volume.geometry.first_of_group(volume.geometry.group_of_inode(inode.number));
}

} // namespace

BlockPath BlockPath::to(const Geometry& geometry, uint64_t index) {
  BlockPath path;
  if (index < kDirectPointers) {
    path.slots[0] = static_cast<uint32_t>(index);
    return path;
  }
  const uint32_t shift = geometry.block_shift - 2;
  index -= kDirectPointers;
  path.depth = 1;
  for (uint64_t reached = uint64_t{1} << shift; index >= reached; reached <<= shift) {
    index -= reached;
    ++path.depth;
  }
  CLAY_ASSERT(path.depth <= kMostDepth);
  path.slots[0] = kDirectPointers + path.depth - 1;
  for (unsigned level = path.depth; level != 0; --level) {
    path.slots[level] = static_cast<uint32_t>(index & (geometry.pointers_per_block() - 1));
    index >>= shift;
  }
  return path;
}

Result<BlockNumber> find_block(Volume& volume, const Inode& inode, uint64_t index) {
  return CLAY_TRY(walk(volume, inode, BlockPath::to(volume.geometry, index))).block;
}

Result<BlockNumber> grow_block(Volume& volume, Inode& inode, uint64_t index) {
  const BlockPath path = BlockPath::to(volume.geometry, index);
  const Walked at = CLAY_TRY(walk(volume, inode, path));
  if (at.block) {
    return at.block;
  }
  const unsigned missing = path.depth - at.depth + 1; // the last is the file's own
  const uint32_t more = missing * volume.geometry.sectors_per_block();
  if (inode.sectors > UINT32_MAX - more) {
    return Error::kOverflow;
  }
  Taken taken(volume);
  for (unsigned i = 0; i < missing; ++i) {
    CLAY_TRY(taken.take(i == 0 ? goal_of(volume, inode) : taken[i - 1].raw() + 1));
  }
  // Nothing on the disk leads to them yet: their order does not matter.
  for (unsigned i = 0; i + 1 < missing; ++i) {
    const BlockRef block = CLAY_TRY(volume.read(taken[i]));
    CLAY_TRY(set_pointer(block, path.slots[at.depth + i + 1], taken[i + 1], kStageNew));
  }
  if (at.depth == 0) {
    inode.pointers[path.slots[0]] = taken[0].raw();
  } else {
    // Inside the file the pointer is seen as soon as it is on the disk, behind its end it is not.
    const bool inside = index << volume.geometry.block_shift < inode.disk_size;
    const unsigned stage = inside ? kStageNames : kStageNew;
    CLAY_TRY(set_pointer(at.parent, path.slots[at.depth], taken[0], stage));
  }
  const BlockNumber block = taken[missing - 1];
  taken.keep();
  inode.sectors += more;
  inode.goal = block.raw() + 1;
  inode.changed = true;
  return block;
}

Result<uint64_t> missing_blocks(Volume& volume, const Inode& inode, uint64_t first,
                                uint64_t count) {
  uint64_t missing = 0;
  for (uint64_t index = first; index < first + count; ++index) {
    const BlockPath path = BlockPath::to(volume.geometry, index);
    const Walked at = CLAY_TRY(walk(volume, inode, path));
    if (at.block) {
      continue;
    }
    // The file's own, and the blocks of pointers that the index before does not need as well.
    unsigned level = path.depth;
    while (level > at.depth && (index == first || path.slots[level] == 0)) {
      --level;
    }
    missing += path.depth - level + 1;
  }
  return missing;
}

} // namespace clay::ext2
