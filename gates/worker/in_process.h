#pragma once
// One input in this very process, without a worker: for debuggers (--no-fork). There are no fences,
// no time-out, and what ends the process ends everything.

#include "gates/worker/lab.h"

namespace kiln::gates {

LabResult run_in_this_process(const SingleJob& job, const BootPlan& boot);

/// Becomes gdb, which runs this program again with --no-fork in place of --gdb, stopped where a
/// rule breaks. Returns, with a sentence, only when gdb cannot be started.
std::string become_debugger();

} // namespace kiln::gates
