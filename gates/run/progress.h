#pragma once
// One line a target, live and at its end; the table that closes a run.

#include <string>

#include "gates/finding/run_summary.h"
#include "gates/run/range_run.h"

namespace kiln::gates {

std::string live_line(const RangeRun& run);
std::string target_line(const TargetSummary& summary);
std::string summary_table(const RunSummary& summary);

/// "12 345", groups of three.
std::string grouped(uint64_t number);
/// "850 ms", "12.3 s", "4 min 10 s".
std::string duration_text(double seconds);
/// Inputs a second, 0 when there is no time to divide by.
double rate_of(uint64_t inputs, double seconds);

} // namespace kiln::gates
