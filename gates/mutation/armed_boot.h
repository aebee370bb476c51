#pragma once
// One input with a mutant armed: what its worker boots with.

#include <string>

#include "gates/cli/settings.h"
#include "gates/worker/boot_plan.h"
#include "sim/target.h"

namespace kiln::gates {

/// Of --mutant: nothing to arm when it is not given. The bound on loop iterations is the one that
/// `mutate` used, when its recording of the target is there. False and one sentence when there is
/// no such mutant.
bool armed_boot(const Settings& settings, const sim::Target& target, BootPlan* boot,
                std::string* error);

} // namespace kiln::gates
