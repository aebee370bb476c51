// Passes over the structures that the target named.

#include <algorithm>

#include "gates/shrink/shrink_passes.h"
#include "gates/tape/reanchor.h"

namespace kiln::gates {
namespace {

using sim::Lane;
using sim::SpanRecord;

constexpr uint32_t kNoSpan = UINT32_MAX;
constexpr size_t kPoints = static_cast<size_t>(Lane::kSched);
/// Pairs are tried among at most so many spans.
constexpr size_t kMostInPairs = 14;

unsigned depth_of(const sim::TapeRecord& record, uint32_t span) {
  unsigned depth = 0;
  for (uint32_t at = record.spans[span].parent; at != kNoSpan; at = record.spans[at].parent) {
    ++depth;
  }
  return depth;
}

/// Whether any byte of the span lies within the candidate's lanes.
bool has_bytes(const Candidate& candidate, const SpanRecord& span) {
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    if (i != kPoints && span.begin[i] < std::min(span.end[i], candidate.lanes.bytes[i].size())) {
      return true;
    }
  }
  return false;
}

std::vector<uint32_t> spans_at_depth(const Shrinker& shrinker, unsigned depth) {
  std::vector<uint32_t> spans;
  for (uint32_t i = 0; i < shrinker.record().spans.size(); ++i) {
    if (depth_of(shrinker.record(), i) == depth &&
        has_bytes(shrinker.best(), shrinker.record().spans[i])) {
      spans.push_back(i);
    }
  }
  return spans;
}

std::vector<uint32_t> all_spans(const Shrinker& shrinker) {
  std::vector<uint32_t> spans;
  for (uint32_t i = 0; i < shrinker.record().spans.size(); ++i) {
    if (has_bytes(shrinker.best(), shrinker.record().spans[i])) spans.push_back(i);
  }
  return spans;
}

LaneRanges bytes_of(const SpanRecord& span) {
  LaneRanges range;
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    if (i == kPoints) continue;
    range.begin[i] = span.begin[i];
    range.end[i] = span.end[i];
  }
  return range;
}

Candidate without_spans(const Shrinker& shrinker, std::span<const uint32_t> spans) {
  std::vector<LaneRanges> ranges;
  for (uint32_t span : spans) {
    ranges.push_back(bytes_of(shrinker.record().spans[span]));
  }
  return without_ranges(shrinker.best(), ranges);
}

/// Decisions without those in the spans' scheduling points, later ones moved up to close the gap.
std::vector<sim::Decision> close_gaps(const Shrinker& shrinker, std::span<const uint32_t> spans) {
  std::vector<sim::Decision> decisions = shrinker.best().decisions;
  for (size_t i = spans.size(); i > 0; --i) {
    const SpanRecord& span = shrinker.record().spans[spans[i - 1]];
    const uint64_t begin = span.begin[kPoints];
    const uint64_t end = span.end[kPoints];
    std::erase_if(decisions,
                  [&](const sim::Decision& d) { return d.point >= begin && d.point < end; });
    decisions = shift_decisions(decisions, end, -static_cast<int64_t>(end - begin));
  }
  return decisions;
}

bool try_without(Shrinker& shrinker, const std::vector<uint32_t>& spans) {
  Candidate candidate = without_spans(shrinker, spans);
  Candidate closed{candidate.lanes, close_gaps(shrinker, spans)};
  return shrinker.attempt(closed) || shrinker.attempt(candidate);
}

void drop_spans_at(Shrinker& shrinker, unsigned depth) {
  sweep_chunks(
      shrinker, [&] { return spans_at_depth(shrinker, depth).size(); },
      [&](size_t begin, size_t end) {
        const std::vector<uint32_t> spans = spans_at_depth(shrinker, depth);
        return try_without(shrinker, {spans.begin() + static_cast<ptrdiff_t>(begin),
                                      spans.begin() + static_cast<ptrdiff_t>(end)});
      });
}

unsigned deepest(const sim::TapeRecord& record) {
  unsigned depth = 0;
  for (uint32_t i = 0; i < record.spans.size(); ++i) {
    depth = std::max(depth, depth_of(record, i));
  }
  return depth;
}

/// Numbers drawn directly in the span's parent before it, nearest first: one may count it.
std::vector<Number> counts_before(const Shrinker& shrinker, uint32_t span) {
  if (shrinker.record().draws.empty()) return {};
  constexpr size_t kMost = 3;
  const SpanRecord& child = shrinker.record().spans[span];
  std::vector<Number> counts;
  for (size_t i = shrinker.numbers().size(); i > 0 && counts.size() < kMost; --i) {
    const Number& number = shrinker.numbers()[i - 1];
    const bool before = number.position < child.begin[static_cast<size_t>(number.lane)];
    if (shrinker.record().draws[number.draw].span == child.parent && before &&
        get_number(shrinker.best(), number) > 0) {
      counts.push_back(number);
    }
  }
  return counts;
}

bool drop_counted(Shrinker& shrinker, uint32_t span) {
  for (const Number& count : counts_before(shrinker, span)) {
    // Editing before removing: the number's position is that of the whole tape.
    Candidate candidate = shrinker.best();
    set_number(candidate, count, get_number(candidate, count) - 1);
    const LaneRanges range = bytes_of(shrinker.record().spans[span]);
    candidate = without_ranges(candidate, std::span(&range, 1));
    Candidate closed{candidate.lanes, close_gaps(shrinker, std::span(&span, 1))};
    if (shrinker.attempt(closed) || shrinker.attempt(candidate)) return true;
  }
  return false;
}

} // namespace

void drop_spans(Shrinker& shrinker) {
  for (unsigned depth = 0; depth <= deepest(shrinker.record()) && !shrinker.done(); ++depth) {
    drop_spans_at(shrinker, depth);
  }
}

void drop_counted_spans(Shrinker& shrinker) {
  size_t at = all_spans(shrinker).size();
  while (at > 0 && !shrinker.done()) {
    const std::vector<uint32_t> spans = all_spans(shrinker);
    at = std::min(at, spans.size());
    if (at > 0) drop_counted(shrinker, spans[--at]);
  }
}

void drop_span_pairs(Shrinker& shrinker) {
  for (size_t gap = 1; gap < kMostInPairs && !shrinker.done(); ++gap) {
    for (size_t i = 0; !shrinker.done(); ++i) {
      const std::vector<uint32_t> spans = all_spans(shrinker);
      if (spans.size() > kMostInPairs || i + gap >= spans.size()) break;
      try_without(shrinker, {spans[i], spans[i + gap]});
    }
  }
}

void drop_spans_moving_decisions(Shrinker& shrinker) {
  constexpr int64_t kFarthest = 24;
  constexpr size_t kMostSpans = 48;
  size_t at = all_spans(shrinker).size();
  if (at > kMostSpans) return;
  while (at > 0 && !shrinker.done() && !shrinker.best().decisions.empty()) {
    const std::vector<uint32_t> spans = all_spans(shrinker);
    at = std::min(at, spans.size());
    if (at == 0) break;
    const Candidate candidate = without_spans(shrinker, std::span(&spans[--at], 1));
    for (int64_t points = 1; points <= kFarthest; ++points) {
      Candidate moved{candidate.lanes, shift_decisions(candidate.decisions, 0, -points)};
      if (shrinker.attempt(moved)) break;
    }
  }
}

} // namespace kiln::gates
