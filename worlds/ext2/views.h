#pragma once
// Views of images that are not one piece of memory.

#include "generators/ext2/image.h"
#include "worlds/ext2/image.h"

namespace kiln::worlds::ext2 {

/// Valid as long as the image.
ImageView view_of(const gen::ext2::Image& image);

} // namespace kiln::worlds::ext2
