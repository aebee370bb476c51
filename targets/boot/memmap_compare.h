#pragma once
// Clay's memory map against the model of worlds/firmware, and in words; for every target whose
// subject fills one.

#include <string>
#include <vector>

#include "kernel-src/boot/firmware_map.h"
#include "worlds/firmware/memory_model.h"

namespace kiln::targets {

/// Every range, edge, page run and sum when the map is complete; when not, nothing may be usable
/// against firmware's word. `want`: the model's segments.
void check_map(const clay::MemoryMap& map, const std::vector<worlds::MemorySegment>& want);
/// The model's ranks in the words of the kernel; for each type one.
worlds::MemoryRank memory_rank_of(clay::MemoryType type);
/// Nothing was given up: every range is as the model has it.
void check_memory_ranges(const clay::MemoryMap& map,
                         const std::vector<worlds::MemorySegment>& want);
/// The counts of what was left out.
void check_map_report(const clay::MapReport& report, const worlds::MemoryOddities& want);
/// A line each.
std::string describe(const clay::MemoryMap& map);

} // namespace kiln::targets
