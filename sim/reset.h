#pragma once
// The snapshot of the booted machine, and the way back to it. See docs/architecture.md, "Reset".
// Internal to sim/.

#include <cstdint>

namespace kiln::sim {

/// Keeps everything as it is now: the kernel's .data and .bss, the machine's state, the used part
/// of its memory, the live part of parked tasks' stacks, and the shadow of all that.
void take_snapshot();
/// Puts all of it back, at a cost in proportion to what was used since.
void restore_snapshot();
/// Hash of everything that restore_snapshot restores.
uint64_t hash_machine();

} // namespace kiln::sim
