#include "kernel-src/fs/ext2/geometry.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/le_fields.h"

namespace clay::ext2 {

namespace {

constexpr uint32_t kMostBlockShift = 2; // 4096 bytes

bool is_power_of(uint32_t number, uint32_t base) {
  while (number % base == 0) {
    number /= base;
  }
  return number == 1;
}

} // namespace

bool Geometry::has_superblock(uint32_t group) const {
  if (!sparse || group <= 1) {
    return true;
  }
  return is_power_of(group, 3) || is_power_of(group, 5) || is_power_of(group, 7);
}

/// What pointers can reach, and what i_blocks can count.
uint64_t Geometry::most_file_bytes() const {
  const uint64_t n = pointers_per_block();
  const uint64_t reached = (kDirectPointers + n + n * n + n * n * n) << block_shift;
  constexpr uint64_t kCounted = uint64_t{UINT32_MAX} * 512;
  const uint64_t most = reached < kCounted ? reached : kCounted;
  return dynamic || most < INT32_MAX ? most : uint64_t{INT32_MAX};
}

Result<Geometry> Geometry::read(Bytes superblock) {
  const LeFields fields(superblock);
  if (fields.u16(super::kMagic) != kMagic) {
    return Error::kInvalid;
  }
  Geometry it;
  const uint32_t revision = fields.u32(super::kRevision);
  const uint32_t log_block = fields.u32(super::kLogBlockSize);
  const uint32_t unknown = fields.u32(super::kIncompatible) & ~kIncompatibleKnown;
  if (revision > kRevisionDynamic || unknown != 0 || log_block > kMostBlockShift) {
    return Error::kUnsupported;
  }
  it.dynamic = revision == kRevisionDynamic;
  it.block_shift = 10 + log_block;
  it.block_bytes = uint32_t{1} << it.block_shift;
  it.blocks = fields.u32(super::kBlocks);
  it.first_block = fields.u32(super::kFirstDataBlock);
  it.blocks_per_group = fields.u32(super::kBlocksPerGroup);
  it.inodes = fields.u32(super::kInodes);
  it.inodes_per_group = fields.u32(super::kInodesPerGroup);
  it.inode_bytes = it.dynamic ? fields.u16(super::kInodeSize) : kInodeBytesOld;
  it.first_inode = it.dynamic ? fields.u32(super::kFirstInode) : kFirstInodeOld;
  it.types = (fields.u32(super::kIncompatible) & kIncompatibleFileType) != 0;
  const uint32_t read_only = fields.u32(super::kReadOnlyCompatible);
  it.sparse = (read_only & kReadOnlySparseSuper) != 0;
  it.large_files = (read_only & kReadOnlyLargeFile) != 0;
  it.read_only = (read_only & ~kReadOnlyKnown) != 0;
  if ((fields.u32(super::kCompatible) & kCompatibleResizeInode) != 0) {
    it.reserved_descriptor_blocks = fields.u16(super::kReservedDescriptorBlocks);
  }

  const uint32_t bits = it.block_bytes * 8; // of a bitmap, which is one block
  const bool sizes = fields.u32(super::kLogFragmentSize) == log_block &&
                     fields.u32(super::kFragmentsPerGroup) == it.blocks_per_group &&
                     it.first_block == (it.block_bytes == 1024 ? 1U : 0U) &&
                     it.blocks_per_group >= 8 && it.blocks_per_group % 8 == 0 &&
                     it.blocks_per_group <= bits && it.inodes_per_group >= 1 &&
                     it.inodes_per_group <= bits && it.blocks > it.first_block + 1 &&
                     it.inode_bytes >= kInodeBytesOld && it.inode_bytes <= it.block_bytes &&
                     is_power_of_two(it.inode_bytes) && it.first_inode >= kFirstInodeOld &&
                     it.first_inode <= it.inodes;
  if (!sizes) {
    return Error::kCorrupt;
  }
  it.groups = divide_up(it.blocks - it.first_block, it.blocks_per_group);
  it.table_blocks = divide_up(it.inodes_per_group * it.inode_bytes, it.block_bytes);
  it.descriptor_blocks = divide_up<uint32_t>(it.groups, it.block_bytes / kDescriptorBytes);
  // Descriptors and tables that do not fit their group are refused with the groups; here it is made
  // sure that there are no more groups than descriptors can be had for.
  const bool counts = uint64_t{it.groups} * it.inodes_per_group == it.inodes &&
                      it.head_blocks(0) < it.blocks_of_group(0);
  return counts ? Result<Geometry>(it) : Error::kCorrupt;
}

} // namespace clay::ext2
