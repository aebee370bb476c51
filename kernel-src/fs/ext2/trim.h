#pragma once
// Blocks behind the end of a file given back, and those of a file that nobody has any more.

#include <stdint.h>

#include "kernel-src/fs/ext2/inode.h"
#include "kernel-src/fs/ext2/volume.h"

namespace clay::ext2 {

/// Frees all blocks behind the end of an inode that has_blocks(), and makes what its last block has
/// behind the end zeros; all in kStageFrees, with the size durable already. What changes in the
/// inode is in memory only. After an error some are freed; called again it goes on.
Result<> trim(Volume& volume, Inode& inode);
/// The same with all blocks.
Result<> trim_all(Volume& volume, Inode& inode);

/// The inode's block of extended attributes is not its any more.
Result<> release_attributes(Volume& volume, Inode& inode);

} // namespace clay::ext2
