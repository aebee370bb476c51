// Mutations of structures.

#include <algorithm>
#include <cstring>
#include <optional>

#include "gates/mutate/mutations.h"

namespace kiln::gates {
namespace {

using sim::Lane;
using sim::SpanRecord;

constexpr size_t kSched = static_cast<size_t>(Lane::kSched);

bool has_bytes(const SpanRecord& span) {
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    if (i != kSched && span.begin[i] < span.end[i]) return true;
  }
  return false;
}

/// A span that drew something.
const SpanRecord* pick_span(MutationContext& context) {
  constexpr unsigned kTries = 8;
  const auto& spans = context.record.spans;
  for (unsigned i = 0; i < kTries && !spans.empty(); ++i) {
    const SpanRecord& span = spans[context.prng.below(spans.size())];
    if (has_bytes(span)) return &span;
  }
  return nullptr;
}

bool apart(const SpanRecord& a, const SpanRecord& b) {
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    if (i != kSched && a.begin[i] < b.end[i] && b.begin[i] < a.end[i]) return false;
  }
  return true;
}

/// Another span of the same name that shares no byte with it.
const SpanRecord* pick_like(MutationContext& context, const SpanRecord& span) {
  constexpr unsigned kTries = 16;
  for (unsigned i = 0; i < kTries; ++i) {
    const SpanRecord* other = pick_span(context);
    if (other != nullptr && other != &span && std::strcmp(other->name, span.name) == 0 &&
        apart(span, *other)) {
      return other;
    }
  }
  return nullptr;
}

std::span<const uint8_t> bytes_in(const Candidate& candidate, const LaneRanges& range,
                                  size_t lane) {
  const std::span<const uint8_t> bytes = candidate.lanes.bytes[lane];
  const size_t begin = std::min(range.begin[lane], bytes.size());
  return bytes.subspan(begin, std::clamp(range.end[lane], begin, bytes.size()) - begin);
}

void append(std::vector<uint8_t>& to, std::span<const uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// In every lane: what was in `a` stands in b's place and the other way round.
Candidate with_swapped(const Candidate& candidate, const LaneRanges& a, const LaneRanges& b) {
  Candidate result{{}, candidate.decisions};
  for (size_t lane = 0; lane < sim::kLanes; ++lane) {
    const bool a_first = a.begin[lane] <= b.begin[lane];
    const LaneRanges& first = a_first ? a : b;
    const LaneRanges& second = a_first ? b : a;
    const std::span<const uint8_t> all = candidate.lanes.bytes[lane];
    LaneRanges before;
    LaneRanges between;
    LaneRanges after;
    before.end[lane] = first.begin[lane];
    between.begin[lane] = first.end[lane];
    between.end[lane] = std::max(first.end[lane], second.begin[lane]);
    after.begin[lane] = std::max(first.end[lane], second.end[lane]);
    after.end[lane] = all.size();
    std::vector<uint8_t>& to = result.lanes.bytes[lane];
    append(to, bytes_in(candidate, before, lane));
    append(to, bytes_in(candidate, second, lane));
    append(to, bytes_in(candidate, between, lane));
    append(to, bytes_in(candidate, first, lane));
    append(to, bytes_in(candidate, after, lane));
  }
  return result;
}

} // namespace

LaneRanges span_bytes(const SpanRecord& span) {
  LaneRanges range;
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    if (i == kSched) continue;
    range.begin[i] = span.begin[i];
    range.end[i] = span.end[i];
  }
  return range;
}

void insert_ranges(Candidate& into, const Candidate& from, const LaneRanges& range,
                   const size_t (&at)[sim::kLanes]) {
  for (size_t lane = 0; lane < sim::kLanes; ++lane) {
    const std::span<const uint8_t> bytes = bytes_in(from, range, lane);
    if (bytes.empty()) continue;
    std::vector<uint8_t>& to = into.lanes.bytes[lane];
    if (to.size() < at[lane]) to.resize(at[lane]);
    to.insert(to.begin() + static_cast<ptrdiff_t>(at[lane]), bytes.begin(), bytes.end());
  }
}

bool delete_span(MutationContext& context, Candidate& candidate) {
  const SpanRecord* span = pick_span(context);
  if (span == nullptr) return false;
  const LaneRanges range = span_bytes(*span);
  candidate = without_ranges(candidate, std::span(&range, 1));
  return true;
}

bool duplicate_span(MutationContext& context, Candidate& candidate) {
  const SpanRecord* span = pick_span(context);
  if (span == nullptr) return false;
  const Candidate original = candidate;
  const LaneRanges range = span_bytes(*span);
  insert_ranges(candidate, original, range, range.end);
  return true;
}

bool swap_spans(MutationContext& context, Candidate& candidate) {
  const SpanRecord* span = pick_span(context);
  const SpanRecord* other = span == nullptr ? nullptr : pick_like(context, *span);
  if (other == nullptr) return false;
  candidate = with_swapped(candidate, span_bytes(*span), span_bytes(*other));
  return true;
}

bool overwrite_span(MutationContext& context, Candidate& candidate) {
  const SpanRecord* span = pick_span(context);
  const SpanRecord* other = span == nullptr ? nullptr : pick_like(context, *span);
  if (other == nullptr) return false;
  const Candidate original = candidate;
  const LaneRanges to = span_bytes(*span);
  candidate = without_ranges(candidate, std::span(&to, 1));
  insert_ranges(candidate, original, span_bytes(*other), to.begin);
  return true;
}

} // namespace kiln::gates
