#pragma once
// Writing the note that survives a process. Usable in a signal handler and in a sanitizer's hook:
// allocates nothing, takes no lock.

#include "gates/worker/worker_slot.h"

namespace kiln::gates {

/// Fills the note, with the stack as the chain of frame pointers gives it. frame_pointer 0:
/// unknown.
void leave_note(DeathNote& note, sim::Rule rule, const char* headline, uint64_t pc,
                uint64_t frame_pointer);

} // namespace kiln::gates
