#pragma once
// What bench measures, one file each.

#include "gates/bench/measure.h"
#include "sim/target.h"

namespace kiln::gates::bench {

/// Fiber to fiber, against handing the turn between two threads.
std::vector<Figure> switch_figures();
/// An empty run and its reset, and runs that touch memory.
std::vector<Figure> reset_figures();
/// A process and four threads an input, handing the turn 50 times: how kernels' own fuzzers on the
/// host often do it. An imitation: no kernel runs.
std::vector<Figure> thread_figures();
/// Inputs a second in this process (seed 1), and in a process each.
std::vector<Figure> target_figures(const sim::Target& target);

} // namespace kiln::gates::bench
