#include "gates/mutation/matrix_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <unordered_map>

#include "gates/mutation/tally.h"
#include "gates/mutation/trial_runner.h"
#include "gates/run/progress.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

constexpr sim::StrategyKind kStrategies[] = {
    sim::StrategyKind::kPortfolio, sim::StrategyKind::kInOrder, sim::StrategyKind::kRandomWalk,
    sim::StrategyKind::kPct};

bool comes_first(const MutantTry& a, const MutantTry& b) {
  return std::tie(a.target, a.strategy) < std::tie(b.target, b.strategy);
}

} // namespace

void fill_matrix(Pool& pool, MutationRun& run, std::string* error) {
  TrialRunner runner(pool, run.plan().jobs);
  std::unordered_map<uint32_t, MutantResult*> results;
  size_t asked = 0;
  for (MutantResult& result : run.report().results) {
    if (!counts(result.verdict)) continue;
    results[result.number] = &result;
    result.alone.clear();
    for (sim::StrategyKind strategy : kStrategies) {
      for (TrialPlan& plan : run.plans_by_target(result.number, strategy)) {
        runner.add(std::make_unique<Trial>(std::move(plan)));
        ++asked;
      }
    }
  }
  size_t answered = 0;
  runner.run(
      [&](Trial& trial) {
        ++answered;
        if (trial.failed()) return;
        std::vector<MutantTry>& tries = results.at(trial.plan().armed[0])->alone;
        for (MutantTry& each : trial.tries())
          tries.push_back(std::move(each));
      },
      [&] {
        show_live_line(fmt::format("matrix: {} of {} tries", grouped(answered), grouped(asked)));
      },
      gates::interrupted);
  show_live_line("");
  for (auto& [number, result] : results)
    std::sort(result->alone.begin(), result->alone.end(), comes_first);
  *error = runner.trouble();
}

} // namespace kiln::gates
