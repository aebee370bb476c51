#pragma once
// Views of images that are not one piece of memory.

#include "generators/ext2/image.h"
#include "worlds/disk/medium.h"
#include "worlds/ext2/image.h"

namespace kiln::worlds::ext2 {

/// Valid as long as the image.
ImageView view_of(const gen::ext2::Image& image);
/// Valid until the medium is written to. Sectors that cannot be read are unreadable here too.
ImageView view_of(const Medium& medium);

} // namespace kiln::worlds::ext2
