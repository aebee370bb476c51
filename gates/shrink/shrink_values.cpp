// Passes over the values of draws.

#include <algorithm>

#include "gates/shrink/shrink_passes.h"

namespace kiln::gates {
namespace {

/// Pairs are tried among at most so many numbers.
constexpr size_t kMostInPairs = 20;

/// Indices of the numbers that are not 0.
std::vector<size_t> choices(const Shrinker& shrinker) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < shrinker.numbers().size(); ++i) {
    if (get_number(shrinker.best(), shrinker.numbers()[i]) != 0) indices.push_back(i);
  }
  return indices;
}

bool try_zero(Shrinker& shrinker, std::span<const size_t> indices) {
  Candidate candidate = shrinker.best();
  for (size_t index : indices) {
    set_number(candidate, shrinker.numbers()[index], 0);
  }
  return shrinker.attempt(candidate);
}

bool try_value(Shrinker& shrinker, size_t index, uint64_t value) {
  Candidate candidate = shrinker.best();
  set_number(candidate, shrinker.numbers()[index], value);
  return shrinker.attempt(candidate);
}

/// The number at `index`, 0 when an accepted attempt has taken it away.
uint64_t value_at(const Shrinker& shrinker, size_t index) {
  if (index >= shrinker.numbers().size()) return 0;
  return get_number(shrinker.best(), shrinker.numbers()[index]);
}

/// What the caller got, where that is less than the bytes say: the plainest bytes for it.
uint64_t reduced_value(const Shrinker& shrinker, size_t index) {
  const Number& number = shrinker.numbers()[index];
  if (number.draw >= shrinker.record().draws.size()) return UINT64_MAX;
  const sim::DrawRecord& draw = shrinker.record().draws[number.draw];
  return draw.width == number.width ? draw.value : UINT64_MAX;
}

/// Bisects for the least value that is enough, 0 being known not to be.
void lower(Shrinker& shrinker, size_t index) {
  const uint64_t reduced = reduced_value(shrinker, index);
  if (reduced != 0 && reduced < value_at(shrinker, index)) try_value(shrinker, index, reduced);
  if (value_at(shrinker, index) > 1) try_value(shrinker, index, 1);
  uint64_t too_low = 1;
  while (!shrinker.done()) {
    const uint64_t value = value_at(shrinker, index);
    if (value <= too_low + 1) break;
    const uint64_t middle = too_low + (value - too_low) / 2;
    if (!try_value(shrinker, index, middle)) too_low = middle;
  }
  const uint64_t value = value_at(shrinker, index);
  if (value > 1) try_value(shrinker, index, value - 1);
}

/// One less, and `bytes` bytes after the number's own gone from its lane.
bool try_shorter(Shrinker& shrinker, size_t index, uint64_t less, size_t from, size_t bytes) {
  Candidate candidate = shrinker.best();
  const Number number = shrinker.numbers()[index];
  set_number(candidate, number, get_number(candidate, number) - less);
  LaneRanges range;
  range.begin[static_cast<size_t>(number.lane)] = from;
  range.end[static_cast<size_t>(number.lane)] = from + bytes;
  return shrinker.attempt(without_ranges(candidate, std::span(&range, 1)));
}

/// A length says how many of the numbers after it belong to it: takes some of those, and as much
/// from the length, in halves down to one.
void shorten(Shrinker& shrinker, size_t index) {
  for (uint64_t less = value_at(shrinker, index); less > 0 && !shrinker.done();) {
    const uint64_t value = value_at(shrinker, index);
    less = std::min(less, value);
    if (less == 0 || index + 1 >= shrinker.numbers().size()) break;
    const Number number = shrinker.numbers()[index];
    const Number next = shrinker.numbers()[index + 1];
    const size_t from = number.position + number.width;
    const size_t size = shrinker.best().lanes[number.lane].size();
    const size_t bytes = static_cast<size_t>(std::min<uint64_t>(less, size)) * next.width;
    const size_t last = from + static_cast<size_t>(value - less) * next.width;
    if (next.lane != number.lane || from >= size ||
        !(try_shorter(shrinker, index, less, from, bytes) ||
          (last > from && last < size && try_shorter(shrinker, index, less, last, bytes)))) {
      less /= 2;
    }
  }
}

/// Numbers that may be lengths: not larger than their lane.
bool may_be_length(const Shrinker& shrinker, size_t index) {
  const uint64_t value = value_at(shrinker, index);
  return value != 0 && value <= shrinker.best().lanes[shrinker.numbers()[index].lane].size();
}

} // namespace

void zero_numbers(Shrinker& shrinker) {
  sweep_chunks(
      shrinker, [&] { return choices(shrinker).size(); },
      [&](size_t begin, size_t end) {
        const std::vector<size_t> all = choices(shrinker);
        return try_zero(shrinker, std::span(all).subspan(begin, end - begin));
      });
}

void lower_numbers(Shrinker& shrinker) {
  for (size_t i = 0; i < shrinker.numbers().size() && !shrinker.done(); ++i) {
    if (value_at(shrinker, i) != 0) lower(shrinker, i);
  }
}

void lower_and_delete(Shrinker& shrinker) {
  for (size_t i = 0; i < shrinker.numbers().size() && !shrinker.done(); ++i) {
    if (may_be_length(shrinker, i)) shorten(shrinker, i);
  }
}

void zero_number_pairs(Shrinker& shrinker) {
  for (size_t gap = 1; gap < kMostInPairs && !shrinker.done(); ++gap) {
    for (size_t i = 0; !shrinker.done(); ++i) {
      const std::vector<size_t> all = choices(shrinker);
      if (all.size() > kMostInPairs || i + gap >= all.size()) break;
      const size_t pair[] = {all[i], all[i + gap]};
      try_zero(shrinker, pair);
    }
  }
}

} // namespace kiln::gates
