// Passes over scheduling decisions.

#include <algorithm>

#include "gates/shrink/shrink_passes.h"
#include "gates/tape/reanchor.h"

namespace kiln::gates {
namespace {

using sim::Decision;

bool try_decisions(Shrinker& shrinker, std::vector<Decision> decisions) {
  Candidate candidate{shrinker.best().lanes, std::move(decisions)};
  return shrinker.attempt(candidate);
}

/// Those before `begin` and from `end` on; the latter where they are, or moved up to the gap.
bool try_without(Shrinker& shrinker, size_t begin, size_t end) {
  std::vector<Decision> kept = shrinker.best().decisions;
  const uint64_t first = kept[begin].point;
  const uint64_t last = kept[end - 1].point;
  const bool has_later = end < kept.size();
  kept.erase(kept.begin() + static_cast<ptrdiff_t>(begin),
             kept.begin() + static_cast<ptrdiff_t>(end));
  if (try_decisions(shrinker, kept)) return true;
  const int64_t gap = static_cast<int64_t>(last + 1 - first);
  return has_later && try_decisions(shrinker, shift_decisions(kept, last + 1, -gap));
}

bool try_alternative(Shrinker& shrinker, size_t index, uint8_t alternative) {
  std::vector<Decision> decisions = shrinker.best().decisions;
  if (decisions[index].alternative <= alternative) return false;
  decisions[index].alternative = alternative;
  return try_decisions(shrinker, std::move(decisions));
}

/// One decision comes `by` points earlier; those after it too when `all`.
bool try_earlier(Shrinker& shrinker, size_t index, uint64_t by, bool all) {
  std::vector<Decision> decisions = shrinker.best().decisions;
  for (size_t i = index; i < (all ? decisions.size() : index + 1); ++i) {
    decisions[i].point -= by;
  }
  return try_decisions(shrinker, std::move(decisions));
}

/// Points that lie free before a decision.
uint64_t room_before(const std::vector<Decision>& decisions, size_t index) {
  const uint64_t least = index == 0 ? 0 : decisions[index - 1].point + 1;
  return decisions[index].point - least;
}

/// The farthest first, then by halves.
void pull(Shrinker& shrinker, size_t index, bool all) {
  uint64_t by = room_before(shrinker.best().decisions, index);
  while (by > 0 && !shrinker.done() && index < shrinker.best().decisions.size()) {
    const uint64_t room = room_before(shrinker.best().decisions, index);
    if (by > room || !try_earlier(shrinker, index, by, all)) by /= 2;
  }
}

} // namespace

void drop_decisions(Shrinker& shrinker) {
  sweep_chunks(
      shrinker, [&] { return shrinker.best().decisions.size(); },
      [&](size_t begin, size_t end) { return try_without(shrinker, begin, end); });
}

void pull_decisions(Shrinker& shrinker) {
  for (size_t i = 0; i < shrinker.best().decisions.size() && !shrinker.done(); ++i) {
    for (uint8_t alternative = 1; alternative < 4; ++alternative) {
      if (i >= shrinker.best().decisions.size() || try_alternative(shrinker, i, alternative)) break;
    }
    if (i < shrinker.best().decisions.size()) pull(shrinker, i, true);
    if (i < shrinker.best().decisions.size()) pull(shrinker, i, false);
  }
}

} // namespace kiln::gates
