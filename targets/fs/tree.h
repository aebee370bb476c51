#pragma once
// The whole tree of a filesystem, as the kernel shows it, and as it stands on the disk.

#include <cstdint>

#include "kernel-src/fs/node.h"
#include "worlds/ext2/image.h"
#include "worlds/fs/found.h"
#include "worlds/fs/history.h"

namespace kiln::fs {

/// What a look may leave out.
struct TreeLook {
  /// Says where a file can hold something; null: all of every file is read.
  const worlds::FsHistory* history = nullptr;
  /// Files up to here are read from end to end all the same.
  uint64_t whole = 2048;
};

/// Through the kernel's calls: lists, looks up, and reads everything. `found` is empty. The first
/// error that the kernel gives ends it.
clay::Result<> look_through_kernel(clay::Node& root, const TreeLook& look, worlds::FsFound& found);

/// By the second reader, from an image. False: it is damaged.
bool look_at_image(const worlds::ext2::ImageView& image, const TreeLook& look,
                   worlds::FsFound& found);

} // namespace kiln::fs
