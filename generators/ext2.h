#pragma once
// ext2 images from choices. 0 is ordinary: the empty tape is an empty filesystem of 64 blocks of
// 1 KiB, about which nothing is wrong.

#include "generators/ext2/lies.h"
#include "generators/ext2/maker.h"
#include "sim/tape.h"

namespace kiln::gen::ext2 {

/// How large images may be: what a target has time for.
struct Bounds {
  uint32_t most_blocks = 2048;
  uint32_t most_block_bytes = 4096;
  uint32_t most_nodes = 24; ///< that are put into it
};

/// What an image is like: data lane.
Shape draw_shape(sim::Tape::View data, const Bounds& bounds = {});
/// What is in it: directories, files with holes and indirect blocks, links, symlinks, specials.
void populate(Maker& maker, sim::Tape::View data, const Bounds& bounds = {});
/// A sound image.
Made draw_image(sim::Tape::View data, const Bounds& bounds = {});
/// Tells a lie, drawn from the fault lane (0: none), about a sound image. kNone also when there was
/// nothing to tell it about.
Lie draw_lie(Image& image, sim::Tape::View fault);

} // namespace kiln::gen::ext2
