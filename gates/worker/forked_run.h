#pragma once
// One input in a process of its own, forked from the booted machine.

#include <string>

#include "gates/worker/input.h"
#include "gates/worker/worker_slot.h"

namespace kiln::gates {

/// Forks, runs the input in the child, and gives its outcome. A child that dies is a finding of the
/// input. Probes hit in the child reach slot.probes; spans reach options.spans.
sim::Outcome execute_forked(WorkerSlot& slot, const Input& input,
                            const sim::ExecuteOptions& options, std::string* words);

} // namespace kiln::gates
