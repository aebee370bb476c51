#pragma once
// What came of each mutant: the model between the run, which fills it, and the reports.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/mutants.h"
#include "sim/rules.h"
#include "sim/strategy.h"

namespace kiln::gates {

enum class Verdict : uint8_t {
  kKilled,
  kNotReached,   ///< survived: no input of any target came by; a blind spot
  kNotDifferent, ///< survived: reached, the value never differed; a weak generator
  kNotNoticed,   ///< survived: reached, and nothing judged it; a weak oracle
  kEquivalent,   ///< marked by a reviewer
  kIdentical,    ///< the compiler makes the same code of it
  kNotJudged,    ///< nothing here can see it yet (memory orders)
  kInconclusive, ///< the runner failed
  kPending,      ///< not run (interrupted, or the time was up)
};
bool survived(Verdict verdict);
/// Counts in the score: killed or survived.
bool counts(Verdict verdict);

/// One target's go at a mutant, with one strategy.
struct MutantTry {
  std::string target;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  uint64_t inputs = 0; ///< of the seed, until found or in all: those that do not reach it included
  bool found = false;
};

struct MutantResult {
  uint32_t number = 0; ///< in sim::mutant_table()
  Verdict verdict = Verdict::kPending;
  // The kill.
  std::string target;
  uint64_t inputs = 0; ///< until found: the finding's iteration + 1
  sim::Rule rule{};
  std::string headline;
  std::string place;
  std::string tape; ///< hex
  // What was seen of it.
  uint64_t visits = 0;
  uint64_t differs = 0;
  std::vector<MutantTry> tries;
  std::string reason; ///< of an equivalent, of what is inconclusive, or not to be compared
  /// Its code with the original's: what survives then is known to be other code, or has a reason.
  bool compared = false;
};

/// Harness mutants: what a harness loses without one of its parts.
struct HarnessResult {
  std::string part;   ///< "oracle targets/mm/heap.cpp:120", "rule lock-order", "strategy pct"
  std::string target; ///< "" for a part of all
  uint64_t kills = 0; ///< with it
  uint64_t lost = 0;  ///< of these, not found without it
  std::vector<uint32_t> lost_mutants;
};

struct MutationReport {
  uint64_t seed = 1;
  uint64_t budget = 0;
  double seconds = 0;
  double mutants_per_minute = 0;
  std::vector<MutantResult> results; ///< by number
  std::vector<HarnessResult> harness;
};

} // namespace kiln::gates
