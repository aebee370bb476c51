#pragma once
// The recordings of many targets: from the cache where they are there, else run.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gates/mutation/recording.h"
#include "gates/worker/pool.h"

namespace kiln::gates {

struct RecordPlan {
  std::vector<const sim::Target*> targets;
  uint64_t seed = 1;
  uint64_t inputs = 0; ///< of each target
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  unsigned jobs = 1;
  std::string folder;   ///< of the cache
  std::string identity; ///< of the program
};

struct Recordings {
  std::map<const sim::Target*, Recording> by_target;
  uint64_t generation = 0; ///< of the machine, booted without a mutant
  std::string trouble;     ///< one sentence, when they are not all there
};

/// The bound on loop iterations that a recording in `folder` gives; 0 when there is none of this
/// program.
int64_t recorded_fuel(const std::string& folder, const std::string& identity,
                      const sim::Target& target);

/// `progress` gets inputs done and inputs in all. `stop`: asked often.
Recordings record_targets(Pool& pool, const RecordPlan& plan,
                          const std::function<void(uint64_t, uint64_t)>& progress,
                          const std::function<bool()>& stop);

} // namespace kiln::gates
