#pragma once
// Does a finding show again, alone, in a process that has run nothing else? And what exactly does
// it show there: its tape, its spans, all stacks, the trace's tail.

#include <functional>

#include "gates/finding/found.h"
#include "gates/finding/identity.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

inline constexpr unsigned kConfirmRuns = 10;
/// A hang costs its time-out each time.
inline constexpr unsigned kConfirmHangRuns = 2;
inline constexpr uint32_t kTailLines = 60;

/// The job that runs a finding's input again: from its tape when it has one.
SingleJob job_of(const Found& found);

/// Runs it alone `attempts` times and fills found.reproduced and found.attempts. A run counts when
/// `same` says so of its finding and, where the first run had a digest, its digest is that one.
/// False with a sentence when the runner failed.
bool confirm(Lab& lab, Found& found, unsigned attempts,
             const std::function<bool(const sim::Finding&)>& same, std::string* trouble);

/// Runs it once more with everything recorded, and takes tape, spans, tail and stacks over when it
/// shows the same finding. A run that dies leaves no tape: then it is made from the seed, without
/// the schedule, and found.tape_exact says whether it still shows the finding.
/// `trace`: gets every event of that run.
bool record(Lab& lab, Found& found, const std::function<bool(const sim::Finding&)>& same,
            TraceLog* trace, std::string* trouble);

} // namespace kiln::gates
