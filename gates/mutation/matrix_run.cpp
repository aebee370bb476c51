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

struct Row {
  MutantResult* result = nullptr;
  size_t open = 0; ///< tries that are still to be made
};

bool comes_first(const MutantTry& a, const MutantTry& b) {
  return std::tie(a.target, a.strategy) < std::tie(b.target, b.strategy);
}

} // namespace

void fill_matrix(Pool& pool, MutationRun& run, std::string* error) {
  TrialRunner runner(pool, run.plan().jobs);
  std::unordered_map<uint32_t, Row> rows;
  size_t asked = 0;
  for (MutantResult& result : run.report().results) {
    if (!counts(result.verdict)) continue;
    result.alone.clear();
    uint32_t number = result.number;
    std::vector<const sim::Target*> targets = run.targets_that_reach(number);
    for (sim::StrategyKind strategy : kStrategies) {
      for (const sim::Target* target : targets) {
        runner.add([&run, number, target, strategy] {
          return std::make_unique<Trial>(run.plan_alone(number, *target, strategy));
        });
      }
    }
    rows[number] = {&result, targets.size() * std::size(kStrategies)};
    asked += rows[number].open;
  }
  size_t answered = 0;
  runner.run(
      [&](Trial& trial) {
        ++answered;
        if (trial.failed()) return;
        Row& row = rows.at(trial.plan().armed[0]);
        --row.open;
        for (MutantTry& each : trial.tries())
          row.result->alone.push_back(std::move(each));
      },
      [&] {
        show_live_line(fmt::format("matrix: {} of {} tries", grouped(answered), grouped(asked)));
      },
      gates::interrupted);
  show_live_line("");
  for (auto& [number, row] : rows) {
    std::vector<MutantTry>& tries = row.result->alone;
    if (row.open != 0) tries.clear();
    std::sort(tries.begin(), tries.end(), comes_first);
  }
  *error = runner.trouble();
}

} // namespace kiln::gates
