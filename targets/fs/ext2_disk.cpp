#include "targets/fs/ext2_disk.h"

#include <utility>

namespace kiln::fs {

using clay::Result;
using worlds::Medium;

worlds::FsLimits ext2_limits(const gen::ext2::Shape& shape) {
  const uint64_t pointers = shape.block_bytes / 4;
  const uint64_t reached =
      (12 + pointers + pointers * pointers + pointers * pointers * pointers) * shape.block_bytes;
  constexpr uint64_t kCounted = uint64_t{UINT32_MAX} * 512;
  constexpr uint64_t kSmall = 0x7FFF'FFFF;
  worlds::FsLimits limits;
  limits.most_bytes = reached < kCounted ? reached : kCounted;
  if (shape.revision == 0 && limits.most_bytes > kSmall) limits.most_bytes = kSmall;
  limits.most_links = 32000;
  limits.most_target = shape.block_bytes - 1;
  return limits;
}

namespace {

Medium lent(const worlds::DiskShape& shape, const worlds::ext2::Stock& stock) {
  Medium medium(shape.sectors, shape.sector_bytes);
  medium.lend(stock.bytes);
  return medium;
}

} // namespace

Ext2Disk::Ext2Disk(const worlds::DiskShape& shape, const worlds::ext2::Stock& stock)
    : Ext2Disk(shape, lent(shape, stock)) {}

Ext2Disk::Ext2Disk(const worlds::DiskShape& shape, Medium contents)
    : disk(shape, std::move(contents)), device_(disk) {
  disk.set_faults(&faults);
}

Result<> Ext2Disk::mount(const clay::Ext2Options& options) {
  clay::Ext2Options all = options;
  all.cached_blocks = cached_blocks;
  fs_ = CLAY_TRY(clay::mount_ext2(device_, all));
  return {};
}

Result<> Ext2Disk::unmount() {
  const Result<> unmounted = fs_->unmount();
  fs_.reset();
  return unmounted;
}

uint32_t Ext2Disk::hits() const {
  uint32_t all = 0;
  for (const uint32_t count : faults.hits()) {
    all += count;
  }
  return all;
}

bool Ext2Disk::is_lying() const { return !disk.ledger().clean(); }

} // namespace kiln::fs
