#pragma once
// For sync/waits: what each thing to wait for promises to a task that has it for itself. Nobody
// else is about, or one other task that waits, so every answer is known.

#include "sim/machine.h"

namespace kiln::sync {

/// `may_fail`: an allocation may still be made to fail.
void check_waits_alone(sim::Machine& machine, bool may_fail);

} // namespace kiln::sync
