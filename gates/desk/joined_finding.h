#pragma once
// A rule about lock order that no input breaks alone: several inputs, each with a part of the
// cycle. Its tapes, made small one by one, each keeping its part.

#include <string>
#include <vector>

#include "gates/finding/found.h"
#include "gates/finding/lock_graph.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

struct JoinedTape {
  const sim::Target* target = nullptr;
  FactSource source;
  std::vector<uint8_t> tape;
};

struct JoinedFinding {
  sim::Finding finding{};
  std::vector<JoinedTape> tapes; ///< the input that completes the cycle first
  bool reproduced = false;       ///< the tapes, each run alone, close the cycle again
};

/// Runs the inputs of a cycle again, each alone, and shrinks their tapes where `shrink` says so.
/// False and a sentence when the runner failed.
bool examine_cycle(Lab& lab, const JoinedCycle& cycle, sim::StrategyKind strategy, bool shrink,
                   JoinedFinding* out, std::string* trouble);

/// The finding as the machine would have reported it.
sim::Finding finding_of(const JoinedCycle& cycle);

/// Runs tapes, each alone, and joins what they learn; nothing when that breaks no rule.
std::optional<JoinedCycle> join_tapes(Lab& lab, const std::vector<JoinedTape>& tapes,
                                      std::string* trouble);

/// "scripts/fuzz.py join TARGET FILE TARGET FILE".
std::string join_command(const std::vector<JoinedTape>& tapes,
                         const std::vector<std::string>& files);

} // namespace kiln::gates
