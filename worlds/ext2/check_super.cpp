// The superblock: whether what it says is possible, and whether its copies say the same.

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {
namespace {

constexpr uint32_t kLargestShift = 6; ///< blocks of 64 KiB

/// What a copy repeats: all that says what the filesystem is, and nothing that changes in use.
constexpr uint32_t kRepeated[] = {
    super::kInodes,
    super::kBlocks,
    super::kFirstBlock,
    super::kLogBlockSize,
    super::kLogFragmentSize,
    super::kBlocksPerGroup,
    super::kFragmentsPerGroup,
    super::kInodesPerGroup,
    super::kRevision,
};
constexpr uint32_t kRepeatedRevision1[] = {super::kFirstInode, super::kCompatible,
                                           super::kIncompatible};

bool power_of_two(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

} // namespace

bool CheckerState::read_super() {
  uint8_t copy[kSuperBytes];
  const uint8_t* super = image->at(kSuperAt, kSuperBytes, copy);
  if (super == nullptr || le16(super + super::kMagicAt) != kMagic) {
    found({.problem = Problem::kNoSuperblock});
    return false;
  }
  layout = {};
  if (!super_numbers(super)) return false;
  grow();
  verdict.counted_.block_bytes = layout.block_bytes;
  verdict.counted_.blocks = layout.blocks;
  verdict.counted_.inodes = layout.inodes;
  super_marks(super);
  if (layout.groups > 1) backups(super);
  return true;
}

/// False: nothing more can be said.
bool CheckerState::super_numbers(const uint8_t* super) {
  bool usable = true;
  const auto check = [&](bool right, Problem problem, uint32_t at, uint64_t want = 0) {
    if (right) return;
    found({.problem = problem, .at = at, .got = le32(super + at), .want = want});
    usable = false;
  };
  const uint32_t revision = le32(super + super::kRevision);
  const uint32_t compatible = le32(super + super::kCompatible);
  const uint32_t incompatible = le32(super + super::kIncompatible);
  const uint32_t read_only = le32(super + super::kReadOnly);
  const uint32_t shift = le32(super + super::kLogBlockSize);
  check(revision <= 1, Problem::kRevision, super::kRevision);
  if (revision == 0) {
    check((compatible | incompatible | read_only) == 0, Problem::kRevisionFeatures,
          super::kRevision);
  }
  const auto foreign = [&](uint32_t bits, uint32_t at) {
    if (bits == 0) return;
    found({.problem = Problem::kUnknownFeature, .at = at, .got = bits});
    usable = false;
  };
  foreign(compatible & ~kKnownCompatible, super::kCompatible);
  foreign(incompatible & ~kKnownIncompatible, super::kIncompatible);
  foreign(read_only & ~kKnownReadOnly, super::kReadOnly);
  check(shift <= kLargestShift, Problem::kBlockSize, super::kLogBlockSize);
  if (!usable) return false;

  Layout& l = layout;
  l.block_shift = 10 + shift;
  l.block_bytes = 1U << l.block_shift;
  l.pointers = l.block_bytes / 4;
  l.sparse = (read_only & kSparseFeature) != 0;
  l.has_large_files = (read_only & kLargeFileFeature) != 0;
  l.has_types = (incompatible & kFileTypeFeature) != 0;
  l.has_attributes = (compatible & kAttributesFeature) != 0;
  l.has_index = (compatible & kIndexFeature) != 0;
  l.has_resize = (compatible & kResizeFeature) != 0;
  l.preallocated =
      (compatible & kPreallocateFeature) != 0 ? super[super::kPreallocateDirectory] : 0;
  l.blocks = le32(super + super::kBlocks);
  l.inodes = le32(super + super::kInodes);
  l.first_block = le32(super + super::kFirstBlock);
  l.blocks_per_group = le32(super + super::kBlocksPerGroup);
  l.inodes_per_group = le32(super + super::kInodesPerGroup);
  l.inode_bytes = revision == 0 ? kInodeBytes0 : le16(super + super::kInodeSize);
  l.first_file_inode = revision == 0 ? kFirstFileInode0 : le32(super + super::kFirstInode);

  check(le32(super + super::kLogFragmentSize) == shift, Problem::kFragmentSize,
        super::kLogFragmentSize, shift);
  check(le32(super + super::kFragmentsPerGroup) == l.blocks_per_group, Problem::kFragmentSize,
        super::kFragmentsPerGroup, l.blocks_per_group);
  check(l.inode_bytes >= kInodeBytes0 && l.inode_bytes <= l.block_bytes &&
            power_of_two(l.inode_bytes),
        Problem::kInodeSize, super::kInodeSize);
  check(l.first_block == (shift == 0 ? 1U : 0U), Problem::kFirstBlock, super::kFirstBlock,
        shift == 0 ? 1 : 0);
  check(l.blocks_per_group >= 8 && l.blocks_per_group <= 8 * l.block_bytes &&
            l.blocks_per_group % 8 == 0,
        Problem::kBlocksPerGroup, super::kBlocksPerGroup);
  check(l.blocks > l.first_block && l.blocks <= image->size() >> l.block_shift,
        Problem::kImageBlocks, super::kBlocks, image->size() >> l.block_shift);
  if (!usable) return false;

  check(l.inodes_per_group != 0 && l.inodes_per_group <= 8 * l.block_bytes &&
            l.inodes_per_group % (l.block_bytes / l.inode_bytes) == 0,
        Problem::kInodesPerGroup, super::kInodesPerGroup);
  if (!usable) return false;
  const uint64_t table_bytes = uint64_t{l.inodes_per_group} * l.inode_bytes;
  l.table_blocks = static_cast<uint32_t>((table_bytes + l.block_bytes - 1) >> l.block_shift);
  check(l.table_blocks < l.blocks_per_group, Problem::kInodesPerGroup, super::kInodesPerGroup);
  l.groups = (l.blocks - l.first_block - 1) / l.blocks_per_group + 1;
  check(uint64_t{l.groups} * l.inodes_per_group == l.inodes, Problem::kImageInodes, super::kInodes,
        uint64_t{l.groups} * l.inodes_per_group);
  check(l.first_file_inode >= kFirstFileInode0 && l.first_file_inode <= l.inodes,
        Problem::kFirstInode, super::kFirstInode);
  const uint32_t per_block = l.block_bytes / kDescriptorBytes;
  l.descriptor_blocks = (l.groups - 1) / per_block + 1;
  l.reserved_descriptors = revision == 0 ? 0 : le16(super + super::kReservedDescriptors);
  check(uint64_t{l.first_block} + 1 + l.descriptor_blocks <= l.blocks, Problem::kImageBlocks,
        super::kBlocks);
  return usable;
}

/// What can be wrong without the rest being useless.
void CheckerState::super_marks(const uint8_t* super) {
  const Layout& l = layout;
  if (le32(super + super::kReserved) > l.blocks / 2) {
    found({.problem = Problem::kReservedBlocks,
           .at = super::kReserved,
           .got = le32(super + super::kReserved)});
  }
  if (l.reserved_descriptors > (l.has_resize ? l.pointers : 0)) {
    found({.problem = Problem::kReservedTable,
           .at = super::kReservedDescriptors,
           .got = l.reserved_descriptors});
    layout.reserved_descriptors = 0;
  }
  const uint16_t state = le16(super + super::kState);
  if ((state & kStateValid) == 0) found({.problem = Problem::kState, .at = super::kState});
  if ((state & kStateErrors) != 0) found({.problem = Problem::kErrorState, .at = super::kState});
  const uint32_t times[] = {le32(super + super::kMountTime), le32(super + super::kWriteTime),
                            le32(super + super::kMadeTime)};
  low_times = false;
  last_orphan = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (now != 0 && i < 2 && times[i] > now) {
      found({.problem = Problem::kTimeInFuture,
             .at = i == 0 ? super::kMountTime : super::kWriteTime,
             .got = times[i],
             .want = now});
    }
    low_times |= times[i] != 0 && times[i] < l.inodes;
  }
  if (le32(super + super::kRevision) == 0) return;
  last_orphan = le32(super + super::kLastOrphan);
}

/// From the superblock on, the time of deletion of each is the next one's number.
void CheckerState::orphan_list(uint32_t head) {
  uint32_t number = head;
  for (uint32_t steps = 0; number != 0; ++steps) {
    const uint8_t* inode =
        number >= layout.first_file_inode && number <= layout.inodes && steps < layout.inodes
            ? inode_at(number)
            : nullptr;
    if (inode == nullptr || type_of_mode(le16(inode + inode::kMode)) == EntryType::kUnknown) {
      found({.problem = Problem::kOrphanList, .at = super::kLastOrphan, .got = number});
      return;
    }
    number = le32(inode + inode::kDeleted);
  }
  found({.problem = Problem::kOrphans, .at = super::kLastOrphan, .got = head});
}

void CheckerState::backups(const uint8_t* super) {
  for (uint32_t group = 1; group < layout.groups; ++group) {
    if (has_super(group, layout.sparse)) backup(super, group);
  }
}

void CheckerState::backup(const uint8_t* super, uint32_t group) {
  const uint32_t number = layout.group_first(group);
  if (uint64_t{number} + 1 + layout.descriptor_blocks > layout.blocks) return;
  const uint8_t* copy = block(number, Slot::kData);
  if (copy == nullptr) return;
  const auto differs = [&](uint32_t at, uint64_t got, uint64_t want) {
    if (got == want) return;
    found({.problem = Problem::kBackup,
           .group = group,
           .block = number,
           .at = at,
           .got = got,
           .want = want});
  };
  differs(super::kMagicAt, le16(copy + super::kMagicAt), kMagic);
  for (uint32_t at : kRepeated)
    differs(at, le32(copy + at), le32(super + at));
  if (le32(super + super::kRevision) != 0) {
    for (uint32_t at : kRepeatedRevision1)
      differs(at, le32(copy + at), le32(super + at));
    // That there are large files is said when the first one is made.
    differs(super::kReadOnly, le32(copy + super::kReadOnly) | kLargeFileFeature,
            le32(super + super::kReadOnly) | kLargeFileFeature);
    differs(super::kInodeSize, le16(copy + super::kInodeSize), layout.inode_bytes);
    differs(super::kGroup, le16(copy + super::kGroup), group);
  }
  for (uint32_t i = 0; i < layout.descriptor_blocks; ++i) {
    const uint8_t* here = block(number + 1 + i, Slot::kData);
    const uint8_t* there = block(layout.first_block + 1 + i, Slot::kGroup);
    if (here == nullptr || there == nullptr) return;
    const uint32_t per_block = layout.block_bytes / kDescriptorBytes;
    for (uint32_t j = 0; j < per_block && i * per_block + j < layout.groups; ++j) {
      for (uint32_t at : {group::kBlockBitmap, group::kInodeBitmap, group::kInodeTable}) {
        const uint32_t place = j * kDescriptorBytes + at;
        if (le32(here + place) == le32(there + place)) continue;
        found({.problem = Problem::kBackup,
               .group = group,
               .block = number + 1 + i,
               .at = place,
               .got = le32(here + place),
               .want = le32(there + place)});
      }
    }
  }
}

} // namespace kiln::worlds::ext2
