#include "kernel-src/fs/ext2/volume.h"

#include <utility>

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/le_fields.h"
#include "kernel-src/log/log.h"

namespace clay::ext2 {

namespace {

constexpr uint32_t kFewestBlocks = 32; ///< in the cache: an operation pins some

/// The superblock's bytes, before anybody knows how large blocks are.
class FirstLook {
 public:
  static Result<FirstLook> take(BlockDevice& device) {
    const uint32_t sector = device.shape().sector_bytes;
    if (!is_power_of_two(sector) || sector > 4096) {
      return Error::kUnsupported;
    }
    const size_t bytes = sector > kSuperblockBytes ? sector : kSuperblockBytes;
    const uint64_t first = kSuperblockOffset / sector;
    if (!range_within<uint64_t>(first, bytes / sector, device.shape().sectors)) {
      return Error::kTruncated;
    }
    FirstLook look;
    look.bytes_ = CLAY_TRY(Array<uint8_t>::create(bytes));
    look.offset_ = kSuperblockOffset % sector;
    CLAY_TRY(device.read(first, look.bytes_.span()));
    return look;
  }
  Bytes superblock() const { return bytes_.span().subspan(offset_, kSuperblockBytes); }

 private:
  Array<uint8_t> bytes_;
  size_t offset_ = 0;
};

} // namespace

Volume::Volume(const Geometry& geometry, Box<BlockCache> cache, bool writable)
    : geometry(geometry), cache_(std::move(cache)), writable_(writable) {}

Result<Box<Volume>> Volume::open(BlockDevice& device, const Ext2Options& options) {
  const FirstLook look = CLAY_TRY(FirstLook::take(device));
  const Geometry geometry = CLAY_TRY(Geometry::read(look.superblock()));
  const uint32_t kept =
      options.cached_blocks > kFewestBlocks ? options.cached_blocks : kFewestBlocks;
  Box<BlockCache> cache = CLAY_TRY(BlockCache::create(device, geometry.block_bytes, kept));
  if (cache->blocks() < geometry.blocks) {
    return Error::kTruncated;
  }
  const bool writable = !options.read_only && !geometry.read_only && !device.shape().read_only;
  Box<Volume> volume =
      CLAY_TRY(make_box<Volume>(kHalAllocMayWait, geometry, std::move(cache), writable));
  const LeFields fields(look.superblock());
  volume->was_clean_ = (fields.u16(super::kState) & (kStateValid | kStateError)) == kStateValid;
  volume->now_ = fields.u32(super::kWriteTime);
  CLAY_TRY(volume->load_groups());
  return volume;
}

// --- Groups

Result<> Volume::load_groups() {
  groups = CLAY_TRY(Array<Group>::create(geometry.groups));
  const uint32_t per_block = geometry.block_bytes / kDescriptorBytes;
  for (uint32_t first = 0; first < geometry.groups; first += per_block) {
    const BlockRef block = CLAY_TRY(cache_->read(geometry.first_block + 1 + first / per_block));
    const uint32_t here = geometry.groups - first < per_block ? geometry.groups - first : per_block;
    for (uint32_t i = 0; i < here; ++i) {
      const size_t at = size_t{i} * kDescriptorBytes;
      CLAY_TRY(load_group(first + i, block.bytes().subspan(at, kDescriptorBytes)));
    }
  }
  return {};
}

Result<> Volume::load_group(uint32_t index, Bytes bytes) {
  const LeFields fields(bytes);
  Group& group = groups[index];
  group.head = geometry.head_blocks(index);
  group.block_bitmap = fields.u32(descriptor::kBlockBitmap);
  group.inode_bitmap = fields.u32(descriptor::kInodeBitmap);
  group.table = fields.u32(descriptor::kInodeTable);
  group.free_blocks = fields.u16(descriptor::kFreeBlocks);
  group.free_inodes = fields.u16(descriptor::kFreeInodes);
  group.directories = fields.u16(descriptor::kDirectories);

  const uint32_t size = geometry.blocks_of_group(index);
  const uint32_t first = geometry.first_of_group(index);
  const auto has = [&](uint32_t block, uint32_t count) {
    return block >= first && block - first >= group.head &&
           range_within(block - first, count, size);
  };
  const auto in_table = [&](uint32_t block) {
    return block >= group.table && block - group.table < geometry.table_blocks;
  };
  const bool placed = has(group.block_bitmap, 1) && has(group.inode_bitmap, 1) &&
                      has(group.table, geometry.table_blocks) &&
                      group.block_bitmap != group.inode_bitmap && !in_table(group.block_bitmap) &&
                      !in_table(group.inode_bitmap);
  if (!placed) {
    return corrupt("the place of bitmaps or inodes of group", index);
  }
  // Of an image that was not unmounted they are counted anew.
  if (group.free_blocks > size || group.free_inodes > geometry.inodes_per_group) {
    if (was_clean_) {
      return corrupt("the free counts of group", index);
    }
    group.free_blocks = 0;
    group.free_inodes = 0;
  }
  free_blocks_ += group.free_blocks;
  free_inodes_ += group.free_inodes;
  return {};
}

BlockNumber Volume::checked(uint32_t raw) const {
  if (raw < geometry.first_block || raw >= geometry.blocks) {
    return {};
  }
  const uint32_t index = geometry.group_of_block(raw);
  const Group& group = groups[index];
  const bool own = raw - geometry.first_of_group(index) < group.head || raw == group.block_bitmap ||
                   raw == group.inode_bitmap ||
                   (raw >= group.table && raw - group.table < geometry.table_blocks);
  return own ? BlockNumber() : BlockNumber(raw);
}

Result<BlockNumber> Volume::data_block(uint32_t raw) {
  const BlockNumber block = checked(raw);
  if (!block) {
    return corrupt("a pointer to block", raw);
  }
  return block;
}

// --- What is found wrong

Error Volume::corrupt(const char* what, uint64_t number) {
  log_error("ext2: %s %llu is wrong%s", what, static_cast<unsigned long long>(number),
            writable() ? ": read-only from now on" : "");
  broken_ = true;
  return Error::kCorrupt;
}

void Volume::give_up(const char* what) {
  log_error("ext2: %s: read-only from now on", what);
  broken_ = true;
}

// --- Counts

void Volume::set_counts(uint32_t index, uint32_t blocks, uint32_t inodes, uint32_t directories) {
  Group& group = groups[index];
  if (group.free_blocks == blocks && group.free_inodes == inodes &&
      group.directories == directories) {
    return;
  }
  free_blocks_ = wrapping_add(free_blocks_, wrapping_sub<uint32_t>(blocks, group.free_blocks));
  free_inodes_ = wrapping_add(free_inodes_, wrapping_sub<uint32_t>(inodes, group.free_inodes));
  group.free_blocks = truncate_to<uint16_t>(blocks);
  group.free_inodes = truncate_to<uint16_t>(inodes);
  group.directories = truncate_to<uint16_t>(directories);
  if (!counts_changed()) {
    changed_first_ = index;
    changed_end_ = index + 1;
  } else if (index < changed_first_) {
    changed_first_ = index;
  } else if (index >= changed_end_) {
    changed_end_ = index + 1;
  }
}

void Volume::count(uint32_t index, int blocks, int inodes, int directories) {
  const Group& group = groups[index];
  const auto moved = [](uint32_t number, int by) {
    return wrapping_add(number, truncate_to<uint32_t>(by));
  };
  set_counts(index, moved(group.free_blocks, blocks), moved(group.free_inodes, inodes),
             moved(group.directories, directories));
}

Result<> Volume::write_counts(unsigned stage) {
  const uint32_t per_block = geometry.block_bytes / kDescriptorBytes;
  while (counts_changed()) {
    const uint32_t number = changed_first_ / per_block;
    const BlockRef block = CLAY_TRY(cache_->read(geometry.first_block + 1 + number));
    const BlockEdit edit = CLAY_TRY(block.edit(stage));
    for (; counts_changed() && changed_first_ / per_block == number; ++changed_first_) {
      uint8_t* const to =
          edit.bytes().from(size_t{changed_first_ % per_block} * kDescriptorBytes).data();
      const Group& group = groups[changed_first_];
      store_le(to + descriptor::kFreeBlocks, group.free_blocks);
      store_le(to + descriptor::kFreeInodes, group.free_inodes);
      store_le(to + descriptor::kDirectories, group.directories);
    }
  }
  return change_superblock(stage, [this](uint8_t* to) {
    store_le(to + super::kFreeBlocks, free_blocks_);
    store_le(to + super::kFreeInodes, free_inodes_);
  });
}

// --- The superblock

template <typename Change> Result<> Volume::change_superblock(unsigned stage, Change change) {
  const BlockRef block = CLAY_TRY(cache_->read(kSuperblockOffset / geometry.block_bytes));
  const BlockEdit edit = CLAY_TRY(block.edit(stage));
  change(edit.bytes().subspan(kSuperblockOffset % geometry.block_bytes, kSuperblockBytes).data());
  return {};
}

Result<> Volume::mark_in_use() {
  if (marked_) {
    return {};
  }
  CLAY_TRY(change_superblock(kStageNew, [](uint8_t* to) {
    const uint16_t state = load_le<uint16_t>(to + super::kState);
    store_le(to + super::kState, static_cast<uint16_t>(state & ~kStateValid));
  }));
  CLAY_TRY(cache_->sync(kStageNew));
  marked_ = true;
  return {};
}

Result<> Volume::mark_clean() {
  if (!marked_ || untidy_ || !writable()) {
    return {};
  }
  CLAY_TRY(change_superblock(kStageFrees, [](uint8_t* to) {
    const uint16_t state = load_le<uint16_t>(to + super::kState);
    store_le(to + super::kState, static_cast<uint16_t>((state | kStateValid) & ~kStateError));
  }));
  return cache_->sync();
}

Result<> Volume::allow_large_files() {
  if (geometry.large_files) {
    return {};
  }
  CLAY_TRY(change_superblock(kStageNew, [](uint8_t* to) {
    const uint32_t features = load_le<uint32_t>(to + super::kReadOnlyCompatible);
    store_le(to + super::kReadOnlyCompatible, features | kReadOnlyLargeFile);
  }));
  geometry.large_files = true;
  return {};
}

} // namespace clay::ext2
