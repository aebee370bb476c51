#pragma once
// What gate, run and cover share: from targets and settings to a printed and written summary.

#include <vector>

#include "gates/cli/settings.h"
#include "gates/finding/run_summary.h"

namespace kiln::gates {

struct ManyOptions {
  bool keep_going = false;
  bool judge_probes = false;
  bool endless = false; ///< without a number or a time: until Ctrl-C, which is then a good end
};

/// Runs inputs of the targets; prints the table, writes --json and --junit.
RunSummary run_many(const Settings& settings, const std::vector<const sim::Target*>& targets,
                    const ManyOptions& options);

/// From findings, hangs, troubles and an interruption to the exit code.
ExitCode exit_code_of(const RunSummary& summary, bool interrupt_is_normal);

} // namespace kiln::gates
