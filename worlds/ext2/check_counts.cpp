// What can be said only when all has been seen: the tree, links, bitmaps and counts.

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {

/// Every directory but the root has one name, its ".." names who holds that, and from there the
/// root is reached.
void CheckerState::tree() {
  reached.clear(layout.inodes);
  if (in_use(kRoot) && types[kRoot] == EntryType::kDirectory) {
    reached.set(kRoot - 1);
    parents[kRoot] = kRoot;
  }
  for (const Directory& directory : directories) {
    const uint32_t number = directory.number;
    const uint32_t parent = parents[number];
    if (parent != 0 && dotdots[number] != parent) {
      found({.problem = Problem::kParent, .inode = number, .got = dotdots[number], .want = parent});
    }
    // Up to one that is known to be reached, or as far as there are directories.
    size_t steps = 0;
    uint32_t at = number;
    while (!reached.test(at - 1) && parents[at] != 0 && steps <= directories.size()) {
      at = parents[at];
      ++steps;
    }
    if (!reached.test(at - 1)) {
      found({.problem = Problem::kUnreachable, .inode = number});
      continue;
    }
    for (uint32_t up = number; !reached.test(up - 1); up = parents[up])
      reached.set(up - 1);
  }
}

void CheckerState::links() {
  for (const InUse& inode : inodes_in_use) {
    const uint32_t names_here = names[inode.number];
    if (names_here == inode.links) continue;
    Problem problem = names_here > inode.links ? Problem::kLinksTooFew : Problem::kLinksTooMany;
    if (names_here == 0) problem = Problem::kUnattached;
    found({.problem = problem, .inode = inode.number, .got = inode.links, .want = names_here});
  }
}

void CheckerState::bitmaps() {
  uint8_t copy[kSuperBytes];
  const Layout& l = layout;
  Counted& counted = verdict.counted_;
  for (uint32_t group = 0; group < l.groups; ++group) {
    const GroupFacts& facts = groups[group];
    const auto counts = [&](Problem problem, uint64_t got, uint64_t want) {
      if (got != want) found({.problem = problem, .group = group, .got = got, .want = want});
    };
    group_bitmap(group, true);
    group_bitmap(group, false);
    const uint32_t blocks = l.group_blocks(group);
    const uint32_t free_blocks =
        blocks - used_blocks.count(size_t{group} * l.blocks_per_group, blocks);
    const uint32_t free_inodes =
        l.inodes_per_group -
        used_inodes.count(size_t{group} * l.inodes_per_group, l.inodes_per_group);
    counts(Problem::kGroupFreeBlocks, facts.free_blocks, free_blocks);
    counts(Problem::kGroupFreeInodes, facts.free_inodes, free_inodes);
    counts(Problem::kGroupDirectories, facts.directories, facts.counted_directories);
    counted.free_blocks += free_blocks;
    counted.free_inodes += free_inodes;
  }
  const uint8_t* super = image->at(kSuperAt, kSuperBytes, copy);
  if (super == nullptr) return;
  const auto total = [&](Problem problem, uint32_t at, uint32_t want) {
    if (le32(super + at) == want) return;
    found({.problem = problem, .at = at, .got = le32(super + at), .want = want});
  };
  total(Problem::kFreeBlocks, super::kFreeBlocks, counted.free_blocks);
  total(Problem::kFreeInodes, super::kFreeInodes, counted.free_inodes);
}

void CheckerState::group_bitmap(uint32_t group, bool of_blocks) {
  const Layout& l = layout;
  const GroupFacts& facts = groups[group];
  const uint8_t* bitmap = block(of_blocks ? facts.block_bitmap : facts.inode_bitmap, Slot::kGroup);
  if (bitmap == nullptr) return;
  const uint32_t first = of_blocks ? group * l.blocks_per_group : group * l.inodes_per_group;
  const uint32_t bits = of_blocks ? l.group_blocks(group) : l.inodes_per_group;
  const BitSet& expected = of_blocks ? used_blocks : used_inodes;
  const uint8_t* want = expected.bytes() + first / 8;
  const uint32_t whole = bits / 8;
  const uint32_t left = bits % 8;
  const auto low = static_cast<uint8_t>((1U << left) - 1);
  bool same = first % 8 == 0 && std::memcmp(bitmap, want, whole) == 0;
  if (left != 0) same = same && (bitmap[whole] & low) == (want[whole] & low);
  if (!same) bitmap_differences(group, of_blocks, bitmap, bits);

  bool padded = left == 0 || (bitmap[whole] | low) == 0xFF;
  uint32_t at = left == 0 ? whole : whole + 1;
  while (at % 8 != 0 && at < l.block_bytes)
    padded &= bitmap[at++] == 0xFF;
  for (; at < l.block_bytes; at += 8)
    padded &= le64(bitmap + at) == UINT64_MAX;
  if (padded) return;
  found({.problem = Problem::kBitmapPadding,
         .group = group,
         .block = of_blocks ? facts.block_bitmap : facts.inode_bitmap,
         .at = whole});
}

void CheckerState::bitmap_differences(uint32_t group, bool of_blocks, const uint8_t* bitmap,
                                      uint32_t bits) {
  const Layout& l = layout;
  const uint32_t first = of_blocks ? group * l.blocks_per_group : group * l.inodes_per_group;
  const BitSet& expected = of_blocks ? used_blocks : used_inodes;
  for (uint32_t i = 0; i < bits; ++i) {
    const bool marked = (bitmap[i / 8] >> (i % 8) & 1) != 0;
    if (marked == expected.test(first + i)) continue;
    if (of_blocks) {
      found({.problem = marked ? Problem::kBlockLeaked : Problem::kBlockMarkedFree,
             .group = group,
             .block = l.first_block + first + i});
    } else {
      found({.problem = marked ? Problem::kInodeLeaked : Problem::kInodeMarkedFree,
             .group = group,
             .inode = first + i + 1});
    }
  }
}

} // namespace kiln::worlds::ext2
