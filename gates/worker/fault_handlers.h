#pragma once
// Signal handlers of a worker: a fault of the processor, or the supervisor's "enough" (SIGUSR1),
// ends the run and not the process. What cannot be ended that way leaves a note and dies.

#include "gates/worker/worker_slot.h"

namespace kiln::gates {

/// Signal by which the supervisor ends an input that takes too long.
int hang_signal();

/// Installs the handlers on an alternate stack. `note` must stay valid. With them a process may
/// call sim::watch_first_writes.
void install_fault_handlers(DeathNote& note);

} // namespace kiln::gates
