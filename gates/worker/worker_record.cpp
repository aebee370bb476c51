#include <algorithm>

#include "gates/finding/finding_key.h"
#include "gates/worker/worker.h"
#include "sim/mutants.h"

namespace kiln::gates {

namespace {

/// Collects which input visits which site.
class Visits {
 public:
  explicit Visits(uint64_t inputs)
      : words_((inputs + 63) / 64), inputs_(sim::mutant_sites().size()) {}
  void note(uint64_t input, const std::vector<uint32_t>& sites) {
    for (uint32_t site : sites) {
      std::vector<uint64_t>& bits = inputs_[site];
      if (bits.empty()) bits.resize(words_);
      bits[input / 64] |= uint64_t{1} << (input % 64);
    }
  }
  std::vector<VisitedSite> take() {
    std::vector<VisitedSite> list;
    for (uint32_t site = 0; site < inputs_.size(); ++site) {
      if (!inputs_[site].empty()) list.push_back({site, std::move(inputs_[site])});
    }
    return list;
  }

 private:
  size_t words_;
  std::vector<std::vector<uint64_t>> inputs_; ///< by site; empty: not visited
};

/// Collects which input gives which fact about lock order.
class Facts {
 public:
  explicit Facts(uint64_t inputs) : words_((inputs + 63) / 64) {}
  void note(uint64_t input, const std::vector<sim::LockEdge>& edges) {
    for (const sim::LockEdge& edge : edges) {
      auto same = std::find_if(list_.begin(), list_.end(), [&](const RecordedFact& each) {
        return each.edge.from == edge.from && each.edge.to == edge.to &&
               each.edge.fact == edge.fact;
      });
      if (same == list_.end()) {
        list_.push_back({edge, std::vector<uint64_t>(words_)});
        same = list_.end() - 1;
      }
      same->inputs[input / 64] |= uint64_t{1} << (input % 64);
    }
  }
  std::vector<RecordedFact> take() { return std::move(list_); }

 private:
  size_t words_;
  std::vector<RecordedFact> list_;
};

struct BootSeen {
  std::vector<uint32_t> sites;
  int64_t fuel;
};

// Taken once, before the worker's first input: later on they would be the last input's.
const BootSeen& seen_at_boot() {
  static const BootSeen seen{sim::take_visited_sites(), sim::loop_fuel_used()};
  return seen;
}

} // namespace

void carry_out(const BootPlan& plan) {
  if (plan.record) sim::record_sites();
  for (uint32_t number : plan.armed)
    sim::arm_mutant(sim::mutant_table().mutants[number]);
  sim::set_loop_fuel(plan.loop_fuel != 0 ? plan.loop_fuel : INT64_MAX);
}

RecordDone run_record(const RecordJob& job, Executor& executor, WorkerSlot& slot) {
  RecordDone done;
  done.boot_sites = seen_at_boot().sites;
  done.boot_fuel = seen_at_boot().fuel;
  Visits visits(job.end - job.begin);
  Facts facts(job.end - job.begin);
  sim::ExecuteOptions options;
  options.strategy = job.strategy;
  int64_t most = 0;
  for (uint64_t i = job.begin; i < job.end; ++i) {
    slot.iteration = i;
    Input input{job.target, Origin::kSeed, job.seed, i, {}, {}};
    sim::Outcome outcome = executor.run(Phase::kInput, input, options);
    visits.note(i - job.begin, sim::take_visited_sites());
    int64_t fuel = sim::loop_fuel_used();
    if (fuel > most) done.hungriest.push_back({i, fuel});
    most = std::max(most, fuel);
    facts.note(i - job.begin, outcome.edges);
    if (outcome.found) done.findings.push_back({i, finding_key(outcome.finding)});
  }
  done.sites = visits.take();
  done.facts = facts.take();
  return done;
}

} // namespace kiln::gates
