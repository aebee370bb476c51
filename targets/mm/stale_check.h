#pragma once
// Ranges that CPUs are to forget (kernel-src/mm/stale_ranges.h), collected in any order, against a
// list of all that was added.

#include "sim/target.h"

namespace kiln::mm {

/// Draws a few ranges, and judges what the calling CPU forgets of them; of none, that nobody is
/// asked. Nobody else may listen for flushes meanwhile.
void check_stale_ranges(sim::Run& run);

} // namespace kiln::mm
