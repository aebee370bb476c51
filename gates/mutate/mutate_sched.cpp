// Mutations of the schedule.

#include <algorithm>

#include "gates/mutate/mutations.h"
#include "gates/tape/reanchor.h"

namespace kiln::gates {
namespace {

using sim::Decision;

/// Decisions in order again, one a point.
void put(std::vector<Decision>& decisions, Decision decision) {
  const auto at =
      std::lower_bound(decisions.begin(), decisions.end(), decision,
                       [](const Decision& a, const Decision& b) { return a.point < b.point; });
  if (at != decisions.end() && at->point == decision.point) {
    *at = decision;
  } else {
    decisions.insert(at, decision);
  }
}

/// Low ones more often: there are seldom many alternatives.
uint8_t any_alternative(MutationContext& context) {
  constexpr uint64_t kBounds[] = {1, 3, 3, 8, 255};
  return static_cast<uint8_t>(1 + context.prng.below(kBounds[context.prng.below(5)]));
}

/// Anywhere, or close to another decision: bugs need several switches near each other.
uint64_t any_point(MutationContext& context, const Candidate& candidate) {
  constexpr uint64_t kNear = 12;
  if (candidate.decisions.empty() || context.one_in(2)) {
    return context.prng.below(context.points + 1);
  }
  const size_t index = static_cast<size_t>(context.prng.below(candidate.decisions.size()));
  const uint64_t near = candidate.decisions[index].point + context.prng.below(2 * kNear + 1);
  return near < kNear ? 0 : near - kNear;
}

} // namespace

bool insert_decision(MutationContext& context, Candidate& candidate) {
  const uint64_t point = any_point(context, candidate);
  put(candidate.decisions, {point, any_alternative(context)});
  return true;
}

bool delete_decision(MutationContext& context, Candidate& candidate) {
  if (candidate.decisions.empty()) return false;
  const uint64_t index = context.prng.below(candidate.decisions.size());
  candidate.decisions.erase(candidate.decisions.begin() + static_cast<ptrdiff_t>(index));
  return true;
}

bool move_decision(MutationContext& context, Candidate& candidate) {
  if (candidate.decisions.empty()) return false;
  const uint64_t index = context.prng.below(candidate.decisions.size());
  const Decision moved{any_point(context, candidate), candidate.decisions[index].alternative};
  candidate.decisions.erase(candidate.decisions.begin() + static_cast<ptrdiff_t>(index));
  put(candidate.decisions, moved);
  return true;
}

bool change_alternative(MutationContext& context, Candidate& candidate) {
  if (candidate.decisions.empty()) return false;
  const uint64_t index = context.prng.below(candidate.decisions.size());
  candidate.decisions[index].alternative = any_alternative(context);
  return true;
}

bool shift_later_decisions(MutationContext& context, Candidate& candidate) {
  if (candidate.decisions.empty()) return false;
  const uint64_t index = context.prng.below(candidate.decisions.size());
  const int64_t delta = static_cast<int64_t>(context.prng.below(17)) - 8;
  candidate.decisions =
      shift_decisions(candidate.decisions, candidate.decisions[index].point, delta);
  return delta != 0;
}

bool renew_decisions(MutationContext& context, Candidate& candidate) {
  candidate.decisions.clear();
  for (uint64_t count = context.prng.below(12); count > 0; --count) {
    const uint64_t point = context.prng.below(context.points);
    put(candidate.decisions, {point, any_alternative(context)});
  }
  return true;
}

} // namespace kiln::gates
