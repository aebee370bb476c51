#pragma once
// Lock order over the inputs of all targets, with a mutant: a swap of two locks breaks no rule in
// any single input, but closes a cycle with what other inputs do.
//
// With the mutant are the facts of its own runs, and the original's facts of inputs that do not
// come by the mutant: those run as they always did.

#include <optional>
#include <span>
#include <vector>

#include "gates/finding/lock_graph.h"
#include "gates/mutation/recording.h"

namespace kiln::gates {

struct JoinTarget {
  const sim::Target* target;
  const InputSet* reaching; ///< inputs that run with the mutant; null: all do
  const Recording* recording;
  std::vector<GivenFact> facts; ///< of runs with the mutant, by iteration
};

/// The first cycle, targets by name, inputs ascending.
std::optional<JoinedCycle> join_with_mutant(std::span<const sim::LockEdge> boot, uint64_t seed,
                                            std::vector<JoinTarget> targets);

} // namespace kiln::gates
