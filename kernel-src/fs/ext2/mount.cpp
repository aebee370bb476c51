#include "kernel-src/fs/ext2/filesystem.h"

namespace clay {

Result<Box<FileSystem>> mount_ext2(BlockDevice& device, const Ext2Options& options) {
  Box<ext2::Volume> volume = CLAY_TRY(ext2::Volume::open(device, options));
  Box<ext2::Ext2> made = CLAY_TRY(make_box<ext2::Ext2>(kHalAllocMayWait, std::move(volume)));
  CLAY_TRY(made->start());
  return Box<FileSystem>(made.leak());
}

} // namespace clay
