#pragma once
// Disks of odd shapes, from a tape.

#include <cstdint>

#include "sim/tape.h"
#include "worlds/disk/command.h"

namespace kiln::worlds {

/// How odd a disk may be.
struct ShapeMenu {
  uint64_t sectors = 64;    ///< of the plain one; others have some more or fewer
  bool odd_sectors = true;  ///< 520, 528, 4096, 65536 bytes; physical ones that are larger
  bool odd_capacity = true; ///< 0, 1, around 2^32, up to 2^64 - 1
  bool no_cache = true;     ///< disks without a volatile cache
  bool no_fua = true;
  bool discard = true;
  bool read_only = true;
};

/// Zeros: menu.sectors sectors of 512 bytes, a cache, FUA, 256 sectors in a command.
DiskShape draw_shape(sim::Tape::View tape, const ShapeMenu& menu);

} // namespace kiln::worlds
