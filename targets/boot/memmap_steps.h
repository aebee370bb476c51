#pragma once
// One range added to a memory map, by what kernel-src/boot/memory_map.h says of it: what there is
// room for is in the map; for want of room what of it was usable goes, is counted, and nothing else
// changes.

#include "kernel-src/boot/memory_map.h"

namespace kiln::targets {

/// Adds it (first <= last) and judges what became of the map.
void add_and_check(clay::MemoryMap& map, const clay::MemoryRange& added);

} // namespace kiln::targets
