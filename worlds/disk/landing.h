#pragma once
// Which pending writes are found after a cut, by chance: patterns that tend to hurt.

#include <cstdint>
#include <span>
#include <vector>

#include "worlds/disk/command.h"
#include "worlds/disk/dice.h"
#include "worlds/disk/medium.h"
#include "worlds/disk/pending.h"

namespace kiln::worlds {

/// Puts onto the medium what is found. Zeros: everything, in full. Returns the sectors that were
/// torn. A disk that writes `together` sectors at once loses all of them when it makes one
/// unreadable.
std::vector<uint64_t> land_by_chance(Medium& medium, const PendingWrites& pending, TornSectors torn,
                                     uint32_t together, Dice& dice);

/// A sector that was being written over when the power went.
void tear(Medium& medium, const PendingWrites::Version& version, TornSectors torn);

} // namespace kiln::worlds
