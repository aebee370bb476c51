#pragma once
// The sched lane in words: what each decision did in the run that was made of it.
//
//   point   31     1.204 us  main on cpu0 wants lock 'a' (kernel-src/x.cpp:12): preempted by writer

#include <span>
#include <string>
#include <vector>

#include "gates/finding/found.h"
#include "gates/finding/symbolize.h"
#include "sim/sched_lane.h"

namespace kiln::gates {

/// A line for each decision. Without events of its point in `trace` it is told by its number.
std::vector<std::string> decisions_in_words(std::span<const sim::Decision> decisions,
                                            const TraceLog& trace, Symbolizer& symbolizer);

} // namespace kiln::gates
