#pragma once
// A run's schedule as steps in words: who executes, what it does that others can see, and why it
// stops.
//
//   3. writer on cpu1: takes lock 'a' (kernel-src/x.cpp:12), wakes reader; is preempted
//
// Locks that are taken and released within one step say nothing about an interleaving and are left
// out, unless the finding speaks of them.

#include <string>
#include <vector>

#include "gates/finding/found.h"
#include "gates/finding/symbolize.h"

namespace kiln::gates {

inline constexpr size_t kStepsShown = 25;

/// The last `most` steps, numbered from the run's beginning (of what `log` still has).
std::vector<std::string> schedule_steps(const TraceLog& log, const sim::Finding& finding,
                                        Symbolizer& symbolizer, size_t most = kStepsShown);

} // namespace kiln::gates
