#pragma once
// The programs of lib/containers: each drives one container and its model by the same random steps,
// and compares them after every step.

#include "sim/target.h"

namespace kiln::targets {

inline constexpr const char* kContainers = "lib/containers";

/// Steps of one program; the tape's end comes first more often than not.
inline constexpr unsigned kMostSteps = 96;

void run_list(sim::Run& run);
void run_tree(sim::Run& run);
void run_bitmap(sim::Run& run);
void run_ring(sim::Run& run);
void run_byte_ring(sim::Run& run);
void run_hash_table(sim::Run& run);

} // namespace kiln::targets
