// Passes over whole lanes and over draws wherever they lie.

#include <algorithm>

#include "gates/shrink/shrink_passes.h"

namespace kiln::gates {
namespace {

using sim::Lane;

constexpr Lane kByteLanes[] = {Lane::kSwarm, Lane::kData, Lane::kWorld, Lane::kFault, Lane::kRace};

bool try_size(Shrinker& shrinker, Lane lane, size_t size) {
  Candidate candidate = shrinker.best();
  candidate.lanes[lane].resize(size);
  return shrinker.attempt(candidate);
}

/// Bisects for the shortest beginning of a lane that is enough.
void cut_tail(Shrinker& shrinker, Lane lane) {
  size_t too_short = 0;
  while (!shrinker.done()) {
    const size_t size = shrinker.best().lanes[lane].size();
    if (size <= too_short + 1) break;
    const size_t middle = too_short + (size - too_short) / 2;
    if (!try_size(shrinker, lane, middle)) too_short = middle;
  }
}

/// Indices of the numbers of one lane.
std::vector<size_t> numbers_in(const Shrinker& shrinker, Lane lane) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < shrinker.numbers().size(); ++i) {
    if (shrinker.numbers()[i].lane == lane) indices.push_back(i);
  }
  return indices;
}

bool delete_between(Shrinker& shrinker, Lane lane, size_t first, size_t last) {
  const std::vector<size_t> indices = numbers_in(shrinker, lane);
  const Number& from = shrinker.numbers()[indices[first]];
  const Number& to = shrinker.numbers()[indices[last]];
  LaneRanges range;
  range.begin[static_cast<size_t>(lane)] = from.position;
  range.end[static_cast<size_t>(lane)] = to.position + to.width;
  return shrinker.attempt(without_ranges(shrinker.best(), std::span(&range, 1)));
}

} // namespace

void drop_lanes(Shrinker& shrinker) {
  if (shrinker.attempt(Candidate{})) return;
  for (Lane lane : kByteLanes) {
    if (!shrinker.best().lanes[lane].empty()) try_size(shrinker, lane, 0);
  }
  Candidate candidate = shrinker.best();
  candidate.decisions.clear();
  shrinker.attempt(candidate);
}

void cut_tails(Shrinker& shrinker) {
  for (Lane lane : kByteLanes) {
    cut_tail(shrinker, lane);
  }
}

void delete_numbers(Shrinker& shrinker) {
  for (Lane lane : kByteLanes) {
    sweep_chunks(
        shrinker, [&] { return numbers_in(shrinker, lane).size(); },
        [&](size_t begin, size_t end) { return delete_between(shrinker, lane, begin, end - 1); });
  }
}

} // namespace kiln::gates
