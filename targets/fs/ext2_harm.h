#pragma once
// What a loss of power may leave on an ext2 that was written in the order of
// kernel-src/fs/ext2/README.md, before anybody has recovered it.
//
// What nobody can reach from the root may look like anything, as long as none of its blocks is
// somebody else's. What is reached is whole, but for counts, what is held and not used, and what is
// in the middle of something: both names of a node that moves, or a name with a mark; links of
// another number than names; '..' of a directory that moved; blocks behind the end of a file.

#include <optional>
#include <string>

#include "worlds/ext2/check.h"
#include "worlds/ext2/image.h"

namespace kiln::fs {

/// What is worse than that, if anything is. `verdict`: of this image.
std::optional<std::string> harm_of_cut(const worlds::ext2::Verdict& verdict,
                                       const worlds::ext2::ImageView& image);

} // namespace kiln::fs
