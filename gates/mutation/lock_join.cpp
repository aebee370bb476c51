#include "gates/mutation/lock_join.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

namespace kiln::gates {

namespace {

// The first input of the fact that does not come by the mutant.
std::optional<uint64_t> first_outside(const InputSet& inputs, const InputSet& reaching) {
  for (size_t word = 0; word < inputs.size(); ++word) {
    uint64_t left = inputs[word] & ~(word < reaching.size() ? reaching[word] : 0);
    if (left != 0) return word * 64 + static_cast<uint64_t>(std::countr_zero(left));
  }
  return std::nullopt;
}

bool comes_first(const GivenFact& a, const GivenFact& b) {
  auto order = [](const GivenFact& fact) {
    return std::tuple(fact.iteration, std::string_view(fact.edge.from),
                      std::string_view(fact.edge.to), fact.edge.fact);
  };
  return order(a) < order(b);
}

std::vector<GivenFact> all_facts(const JoinTarget& target) {
  std::vector<GivenFact> facts = target.facts;
  if (target.reaching != nullptr) {
    for (const RecordedFact& fact : target.recording->facts) {
      std::optional<uint64_t> input = first_outside(fact.inputs, *target.reaching);
      if (input.has_value()) facts.push_back({*input, fact.edge});
    }
  }
  std::sort(facts.begin(), facts.end(), comes_first);
  return facts;
}

} // namespace

std::optional<JoinedCycle> join_with_mutant(std::span<const sim::LockEdge> boot, uint64_t seed,
                                            std::vector<JoinTarget> targets) {
  bool fresh = std::any_of(targets.begin(), targets.end(),
                           [](const JoinTarget& target) { return !target.facts.empty(); });
  if (!fresh) return std::nullopt;
  std::sort(targets.begin(), targets.end(), [](const JoinTarget& a, const JoinTarget& b) {
    return std::string_view(a.target->info().name) < b.target->info().name;
  });
  LockGraph graph(boot);
  for (const JoinTarget& target : targets) {
    for (const GivenFact& fact : all_facts(target)) {
      FactSource source{target.target->info().name, seed, fact.iteration};
      std::optional<JoinedCycle> cycle = graph.add(source, fact.edge);
      if (cycle.has_value()) return cycle;
    }
  }
  return std::nullopt;
}

} // namespace kiln::gates
