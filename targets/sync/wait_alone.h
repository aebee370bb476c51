#pragma once
// For sync/waits: what each thing to wait for promises to a task that has it for itself. Nobody
// else is about, so every answer is known.

#include "sim/machine.h"

namespace kiln::sync {

void check_waits_alone(sim::Machine& machine);

} // namespace kiln::sync
