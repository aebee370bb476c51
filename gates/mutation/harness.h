#pragma once
// The harness, broken on purpose: which kills are lost without an oracle, a rule of the machine, a
// choice of a generator, a strategy? A part that loses none is redundant, as far as these mutants
// can tell.
//
//   oracle     a check of a target or world is dropped: the kills that stand at its place
//   rule       a rule is switched off: the kills that broke it; not where faults, sanitizers'
//              reports or hangs end the input anyway
//   choice     a draw always gives its ordinary value: a sample of the kills of its targets
//   strategy   each is used alone: of the kills that it finds, those that no other does
//
// Not judged: a part that raised no kill, of which these mutants know nothing.

#include <string>
#include <vector>

#include "gates/mutation/mutation_run.h"

namespace kiln::gates {

/// Runs them all; the results are sorted by part. Sentence when the runner failed.
std::vector<HarnessResult> judge_harness(Pool& pool, const MutationRun& run, std::string* error);

} // namespace kiln::gates
