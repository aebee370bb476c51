// The catalogue: was each historic bug found again?

#include <algorithm>

#include "gates/mutation/tally.h"

namespace kiln::gates {
namespace {

const MutantResult* result_of(const MutationReport& report, uint32_t number) {
  auto found = std::find_if(report.results.begin(), report.results.end(),
                            [&](const MutantResult& result) { return result.number == number; });
  return found == report.results.end() ? nullptr : &*found;
}

struct Go {
  bool found = false;
  uint64_t inputs = 0;
};

/// What the entry's own target did: its best try, and the kill when that is its own.
Go go_of(const MutantResult& result, std::string_view target) {
  Go best;
  for (const MutantTry& go : result.tries) {
    if (go.target != target || (best.found && !go.found)) continue;
    bool better =
        go.found != best.found || (go.found ? go.inputs < best.inputs : go.inputs > best.inputs);
    if (better) best = {go.found, go.inputs};
  }
  bool own_kill = result.verdict == Verdict::kKilled && result.target == target;
  if (own_kill && (!best.found || result.inputs < best.inputs)) best = {true, result.inputs};
  return best;
}

NamedEnd end_of(const MutantResult& result, const Go& go, uint64_t within) {
  if (go.found) return go.inputs <= within ? NamedEnd::kFound : NamedEnd::kTooLate;
  bool ran = counts(result.verdict) || go.inputs != 0;
  return ran ? NamedEnd::kMissed : NamedEnd::kNotRun;
}

} // namespace

std::vector<NamedOutcome> named_outcomes(const MutationReport& report,
                                         const sim::MutantTable& table) {
  std::vector<NamedOutcome> out;
  for (const sim::NamedMutant& named : table.named) {
    NamedOutcome outcome{.named = &named, .result = result_of(report, named.number)};
    if (outcome.result == nullptr) continue;
    Go go = go_of(*outcome.result, named.target);
    outcome.inputs = go.inputs;
    outcome.end = end_of(*outcome.result, go, named.within);
    out.push_back(outcome);
  }
  return out;
}

} // namespace kiln::gates
