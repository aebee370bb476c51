#pragma once
// For sync/timers: what a timer promises to a task that has it for itself: what its calls answer,
// and that a periodic one goes on.

#include "sim/machine.h"

namespace kiln::sync {

void check_timer_alone(sim::Machine& machine);

} // namespace kiln::sync
