#pragma once
// A process that ended in the middle of an input: what the finding is.

#include "gates/worker/worker_slot.h"
#include "sim/finding.h"

namespace kiln::gates {

struct Death {
  int wait_status;   ///< as waitpid gives it
  KillReason killed; ///< by the supervisor
};

/// The finding that a death during an input is. `note`: what the process left, if it could.
sim::Finding finding_of_death(const Death& death, const DeathNote& note);

/// The signal that ended the process; 0 when it exited.
int death_signal(const Death& death);

/// Killed by somebody who is neither this program nor the input (the host's memory shortage, a
/// user): says nothing about the input.
bool killed_from_outside(const Death& death, const DeathNote& note);

/// Headlines of a hang that a clock found, and no count.
inline constexpr char kTimeOut[] = "the input takes longer than the time-out";
inline constexpr char kTimeOutFromOutside[] =
    "the input took too long and could not be stopped from within: its process had to be killed";

/// Writes `headline` and the rule into a finding that knows nothing else.
sim::Finding plain_finding(sim::Rule rule, const char* headline);

} // namespace kiln::gates
