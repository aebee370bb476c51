// Inode tables: every inode in use, what it says of itself, and the blocks that it holds.

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {
namespace {

/// Flags that are not plain ext2's: a compression error (encryption, later), "imagic", extents,
/// contents in the inode, names without case.
constexpr uint32_t kForeignFlags = 0x800 | 0x2000 | 0x80000 | 0x10000000 | 0x40000000;

uint64_t size_of(const uint8_t* inode) {
  return le32(inode + inode::kSize) | uint64_t{le32(inode + inode::kSizeHigh)} << 32;
}

bool any_pointer(const uint8_t* inode, uint32_t from = 0) {
  for (uint32_t i = from; i < kPointers; ++i) {
    if (le32(inode + inode::kPointers + i * 4) != 0) return true;
  }
  return false;
}

/// Whose contents nobody knows who knows ext2.
bool is_of_later_features(uint32_t number) {
  return number == kAccessIndexInode || number == kAccessDataInode || number == kJournalInodeNumber;
}

/// Characters before the first NUL, or `most`.
uint32_t text_bytes(const uint8_t* text, uint32_t most) {
  const void* end = std::memchr(text, 0, most);
  return end == nullptr ? most : static_cast<uint32_t>(static_cast<const uint8_t*>(end) - text);
}

} // namespace

void CheckerState::scan_inodes() {
  const uint32_t per_block = layout.block_bytes / layout.inode_bytes;
  for (uint32_t group = 0; group < layout.groups; ++group) {
    for (uint32_t i = 0; i < layout.table_blocks; ++i) {
      const uint8_t* table = block(groups[group].table + i, Slot::kTable);
      if (table == nullptr) continue;
      const uint32_t first = i * per_block;
      const uint32_t rest = layout.inodes_per_group - first;
      scan_table_block(table, group * layout.inodes_per_group + first + 1,
                       rest < per_block ? rest : per_block);
    }
  }
  if (layout.inodes >= kRoot && !in_use(kRoot)) found({.problem = Problem::kRootMissing});
  if (!shared_attributes.empty()) attribute_references();
  if (last_orphan != 0) orphan_list(last_orphan);
}

/// Of a number that exists.
const uint8_t* CheckerState::inode_at(uint32_t number) {
  const uint32_t index = (number - 1) % layout.inodes_per_group;
  const uint32_t per_block = layout.block_bytes / layout.inode_bytes;
  const uint32_t table = groups[(number - 1) / layout.inodes_per_group].table;
  const uint8_t* bytes = block(table + index / per_block, Slot::kTable);
  return bytes == nullptr ? nullptr : bytes + size_t{index % per_block} * layout.inode_bytes;
}

void CheckerState::scan_table_block(const uint8_t* table, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i, table += layout.inode_bytes) {
    const uint32_t number = first + i;
    const uint32_t mode = le16(table + inode::kMode);
    const uint32_t links = le16(table + inode::kLinks);
    const uint32_t deleted = le32(table + inode::kDeleted);
    if (deleted != 0 && deleted < layout.inodes && !low_times) {
      found({.problem = Problem::kStrayOrphan, .inode = number, .got = deleted});
    }
    if (number < layout.first_file_inode && number != kRoot) {
      Walk walk{.inode = table, .number = number, .type = type_of_mode(mode)};
      reserved_inode(walk);
    } else if (links != 0) {
      Walk walk{.inode = table, .number = number, .type = type_of_mode(mode)};
      used_inode(walk);
    } else if (mode != 0 && deleted == 0) {
      found({.problem = Problem::kUnusedNotDeleted, .inode = number, .got = mode});
    }
  }
}

/// Below the first one for files: always in use, mostly empty.
void CheckerState::reserved_inode(Walk& walk) {
  const uint8_t* inode = walk.inode;
  used_inodes.set(walk.number - 1);
  if (walk.number == kResizeInode && layout.has_resize) return resize_inode(inode);
  const uint32_t mode = le16(inode + inode::kMode);
  const uint32_t links = le16(inode + inode::kLinks);
  bool right = mode == 0;
  switch (walk.number) {
  case kBadBlocksInode: // nothing but a list of blocks
    right &= links == 0 && le16(inode + inode::kUser) == 0 && le16(inode + inode::kGroup) == 0 &&
             le32(inode + inode::kFlags) == 0 && le32(inode + inode::kAttributes) == 0;
    break;
  case kResizeInode: // without the feature
    right &= !any_pointer(inode);
    break;
  case kAccessIndexInode:
  case kAccessDataInode:
  case kJournalInodeNumber: // of features that this filesystem has not: what they are is not said
    right = links == 0 && le32(inode + inode::kSectors) == 0 && le32(inode + inode::kPointers) == 0;
    if (right && any_pointer(inode, 1)) {
      found({.problem = Problem::kReservedInode, .inode = walk.number, .at = inode::kPointers + 4});
    }
    break;
  case kBootLoaderInode:
    right = walk.type != EntryType::kDirectory;
    break;
  default:
    break;
  }
  if (!right) found({.problem = Problem::kReservedInode, .inode = walk.number, .got = mode});
  const uint32_t flags = le32(inode + inode::kFlags);
  if ((flags & kForeignFlags) != 0) {
    found({.problem = Problem::kInodeFlags, .inode = walk.number, .got = flags});
  }
  if (right && links != 0 && walk.type == EntryType::kUnknown) {
    found({.problem = Problem::kReservedLinks, .inode = walk.number, .got = links});
  }
  // Blocks are what files have, or bad ones.
  const bool has_blocks = walk.number == kBadBlocksInode || walk.type == EntryType::kFile;
  walk.type = EntryType::kFile;
  const bool has_attributes = layout.has_attributes && !is_of_later_features(walk.number);
  if (has_blocks || has_attributes) attributes_block(walk);
  if (has_blocks) walk_blocks(walk);
  if (!walk.damaged && walk.number != kBadBlocksInode) sectors(walk);
}

/// Inode 7 holds, through its doubly indirect block alone, the blocks that are kept for more
/// descriptors; each of those lists its copies in the groups that have one.
void CheckerState::resize_inode(const uint8_t* inode) {
  const auto wrong = [&](uint32_t number, uint32_t at, uint64_t got, uint64_t want) {
    found({.problem = Problem::kReservedInode,
           .inode = kResizeInode,
           .block = number,
           .at = at,
           .got = got,
           .want = want});
  };
  const uint32_t doubly = le32(inode + inode::kPointers + 13 * 4);
  bool only = doubly != 0 && possible(doubly);
  for (uint32_t i = 0; i < kPointers; ++i) {
    only &= i == 13 || le32(inode + inode::kPointers + i * 4) == 0;
  }
  if (!only || le16(inode + inode::kLinks) == 0 ||
      type_of_mode(le16(inode + inode::kMode)) != EntryType::kFile) {
    return wrong(0, 0, doubly, 0);
  }
  Walk walk{.inode = inode, .number = kResizeInode, .type = EntryType::kFile};
  if (layout.has_attributes) attributes_block(walk);
  if (!claim(walk, doubly, 0)) return;
  const uint8_t* list = block(doubly, Slot::kIndirect1);
  if (list == nullptr) return;
  uint32_t copies = 0;
  bool spare = false;
  for (uint32_t i = 0; i < layout.pointers; ++i) {
    const uint32_t back = (i + layout.pointers - layout.descriptor_blocks % layout.pointers) %
                          layout.pointers; // which reserved block this place is for
    const uint32_t kept = layout.first_block + 1 + layout.descriptor_blocks + back;
    const uint32_t want = back < layout.reserved_descriptors ? kept : 0;
    if (le32(list + i * 4) != want) {
      wrong(doubly, i * 4, le32(list + i * 4), want);
      spare |= want == 0;
    }
    if (want == 0 || !possible(want)) continue;
    const uint8_t* places = block(want, Slot::kIndirect2);
    if (places == nullptr) return;
    uint32_t at = 0;
    for (uint32_t group = 1; group < layout.groups && at < layout.pointers; ++group) {
      if (!has_super(group, layout.sparse)) continue;
      const uint32_t copy = want + group * layout.blocks_per_group;
      if (le32(places + at * 4) != copy) wrong(want, at * 4, le32(places + at * 4), copy);
      ++at;
    }
    copies += at;
  }
  walk.blocks += layout.reserved_descriptors + copies;
  if (!spare) sectors(walk);
}

void CheckerState::used_inode(Walk& walk) {
  const uint8_t* inode = walk.inode;
  const uint32_t number = walk.number;
  used_inodes.set(number - 1);
  types[number] = walk.type;
  names[number] = 0;
  inodes_in_use.push_back({number, le16(inode + inode::kLinks)});
  const uint32_t deleted = le32(inode + inode::kDeleted);
  if (deleted != 0) found({.problem = Problem::kDeletedInUse, .inode = number, .got = deleted});
  if (number == kRoot && walk.type != EntryType::kDirectory) {
    found({.problem = Problem::kRootKind, .inode = number, .got = le16(inode + inode::kMode)});
  }
  inode_fields(walk);
  attributes_block(walk);
  switch (walk.type) {
  case EntryType::kUnknown:
    found({.problem = Problem::kInodeMode, .inode = number, .got = le16(inode + inode::kMode)});
    break;
  case EntryType::kFile:
    ++verdict.counted_.files;
    walk_blocks(walk);
    size_of_contents(walk);
    break;
  case EntryType::kDirectory:
    return directory_inode(walk);
  case EntryType::kSymlink:
    return symlink_inode(walk);
  default:
    return special_inode(walk);
  }
  if (!walk.damaged) sectors(walk);
}

void CheckerState::inode_fields(const Walk& walk) {
  const uint8_t* inode = walk.inode;
  const auto zero = [&](uint32_t at, uint64_t got) {
    if (got != 0) {
      found({.problem = Problem::kInodeFields, .inode = walk.number, .at = at, .got = got});
    }
  };
  zero(inode::kFragmentAddress, le32(inode + inode::kFragmentAddress));
  zero(inode::kSectorsHigh, le32(inode + inode::kSectorsHigh)); // and the attributes' upper half
  const uint32_t flags = le32(inode + inode::kFlags);
  uint32_t wrong = flags & kForeignFlags;
  if (!layout.has_index || walk.type != EntryType::kDirectory) wrong |= flags & kIndexFlag;
  if (walk.type != EntryType::kFile && walk.type != EntryType::kDirectory) {
    wrong |= flags & (kImmutableFlag | kAppendFlag);
  }
  if (wrong != 0) {
    found({.problem = Problem::kInodeFlags, .inode = walk.number, .got = flags});
  }
  if (layout.inode_bytes > kInodeBytes0) inode_extra(inode, walk.number);
}

void CheckerState::inode_extra(const uint8_t* inode, uint32_t number) {
  const uint32_t extra = le16(inode + inode::kExtraBytes);
  if (extra != 0 && (extra < 4 || extra % 4 != 0 || extra > layout.inode_bytes - kInodeBytes0)) {
    found({.problem = Problem::kInodeExtra, .inode = number, .got = extra});
  }
}

void CheckerState::directory_inode(Walk& walk) {
  const uint32_t number = walk.number;
  parents[number] = 0;
  dotdots[number] = 0;
  ++verdict.counted_.directories;
  ++groups[(number - 1) / layout.inodes_per_group].counted_directories;
  const auto first = static_cast<uint32_t>(directory_blocks.size());
  walk_blocks(walk);
  const auto blocks = static_cast<uint32_t>(directory_blocks.size()) - first;
  const bool indexed = (le32(walk.inode + inode::kFlags) & kIndexFlag) != 0;
  directories.push_back({number, first, blocks, indexed && layout.has_index});
  if (walk.data == 0) {
    found({.problem = Problem::kDirectoryEmpty, .inode = number});
  } else {
    directory_size(walk);
  }
  if (!walk.damaged) sectors(walk);
}

void CheckerState::directory_size(const Walk& walk) {
  const uint64_t size = le32(walk.inode + inode::kSize);
  const uint64_t blocks = size >> layout.block_shift;
  if (walk.data != walk.behind) {
    found({.problem = Problem::kDirectoryHole, .inode = walk.number});
  }
  if (le32(walk.inode + inode::kSizeHigh) != 0) {
    found({.problem = Problem::kInodeFields, .inode = walk.number, .at = inode::kSizeHigh});
  }
  if (size % layout.block_bytes != 0 || blocks > walk.behind ||
      walk.behind - blocks > layout.preallocated) {
    found({.problem = Problem::kDirectorySize,
           .inode = walk.number,
           .got = size,
           .want = walk.behind << layout.block_shift});
  }
}

/// Shorter than 60 characters: in the inode, else in one block; a NUL behind them in either case.
void CheckerState::symlink_inode(Walk& walk) {
  const uint64_t size = size_of(walk.inode);
  bool right = size != 0;
  if (size < kPointerBytes) {
    const uint8_t* text = walk.inode + inode::kPointers;
    right &= text_bytes(text, kPointerBytes) == size;
  } else {
    walk_blocks(walk);
    right &= size < layout.block_bytes && walk.data == 1 && walk.behind == 1 &&
             !any_pointer(walk.inode, 1) && !walk.damaged;
    const uint8_t* text = right ? block(walk.first_data, Slot::kData) : nullptr;
    right &= text != nullptr && text_bytes(text, layout.block_bytes) == size;
  }
  if (!right) found({.problem = Problem::kSymlinkContents, .inode = walk.number, .got = size});
  if (!walk.damaged) sectors(walk);
}

/// Devices, FIFOs and sockets. The pointers of a device are its number.
void CheckerState::special_inode(Walk& walk) {
  if (size_of(walk.inode) != 0) {
    found({.problem = Problem::kSpecialContents,
           .inode = walk.number,
           .at = inode::kSize,
           .got = size_of(walk.inode)});
  }
  sectors(walk);
}

void CheckerState::size_of_contents(const Walk& walk) {
  const uint64_t size = size_of(walk.inode);
  const uint64_t p = layout.pointers;
  const uint64_t most = (kDirectPointers + p + p * p + p * p * p) << layout.block_shift;
  if (size > most) {
    found({.problem = Problem::kSizeTooLarge, .inode = walk.number, .got = size, .want = most});
  }
  if (size <= most && size > uint64_t{UINT32_MAX} * 512) {
    found({.problem = Problem::kSizeUncounted, .inode = walk.number, .got = size});
  }
  // The end may lie anywhere in the last block, at its beginning too.
  if (walk.behind != 0 && size < (walk.behind - 1) << layout.block_shift) {
    found({.problem = Problem::kSizeTooSmall,
           .inode = walk.number,
           .got = size,
           .want = walk.behind << layout.block_shift});
  }
  if (size >= 0x80000000U && !layout.has_large_files) {
    found({.problem = Problem::kLargeFileFeature, .inode = walk.number, .got = size});
  }
}

void CheckerState::sectors(const Walk& walk) {
  const uint64_t want = walk.blocks << (layout.block_shift - 9);
  const uint32_t got = le32(walk.inode + inode::kSectors);
  if (got == want) return;
  const bool reserved = walk.number < layout.first_file_inode && walk.number != kRoot;
  Problem problem = Problem::kInodeBlocks;
  if (reserved) {
    problem = Problem::kReservedInode;
  } else if (walk.type == EntryType::kSymlink) {
    problem = Problem::kSymlinkContents; // where its text is, readers tell by that
  } else if (walk.type != EntryType::kFile && walk.type != EntryType::kDirectory) {
    problem = Problem::kSpecialContents;
  }
  found({.problem = problem, .inode = walk.number, .got = got, .want = want});
}

} // namespace kiln::worlds::ext2
