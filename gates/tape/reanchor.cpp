// Moving decisions along with the code around them.

#include "gates/tape/reanchor.h"

#include <algorithm>
#include <cstring>

namespace kiln::gates {
namespace {

constexpr size_t kPoints = static_cast<size_t>(sim::Lane::kSched);

bool same_beginning(const sim::SpanRecord& a, const sim::SpanRecord& b) {
  return std::strcmp(a.name, b.name) == 0 && a.parent == b.parent &&
         a.begin[kPoints] == b.begin[kPoints];
}

/// The first span, by where it ended, that now takes another number of points.
struct Stretch {
  size_t old_end = SIZE_MAX;
  int64_t delta = 0;
};
Stretch first_stretch(const sim::TapeRecord& before, const sim::TapeRecord& after) {
  Stretch stretch;
  const size_t count = std::min(before.spans.size(), after.spans.size());
  for (size_t i = 0; i < count && same_beginning(before.spans[i], after.spans[i]); ++i) {
    const size_t old_end = before.spans[i].end[kPoints];
    const size_t new_end = after.spans[i].end[kPoints];
    if (before.spans[i].closed && after.spans[i].closed && old_end != new_end &&
        old_end < stretch.old_end) {
      stretch = {old_end, static_cast<int64_t>(new_end) - static_cast<int64_t>(old_end)};
    }
  }
  return stretch;
}

} // namespace

std::vector<sim::Decision> shift_decisions(std::span<const sim::Decision> decisions, uint64_t from,
                                           int64_t delta) {
  std::vector<sim::Decision> moved;
  uint64_t next = 0;
  for (const sim::Decision& decision : decisions) {
    const int64_t point =
        static_cast<int64_t>(decision.point) + (decision.point >= from ? delta : 0);
    if (point < static_cast<int64_t>(next)) continue;
    moved.push_back({static_cast<uint64_t>(point), decision.alternative});
    next = static_cast<uint64_t>(point) + 1;
  }
  return moved;
}

std::optional<Candidate> reanchor(const Candidate& candidate, const sim::TapeRecord& before,
                                  const sim::TapeRecord& after) {
  if (candidate.decisions.empty()) return std::nullopt;
  const Stretch stretch = first_stretch(before, after);
  if (stretch.delta == 0 || candidate.decisions.back().point < stretch.old_end) return std::nullopt;
  Candidate moved = candidate;
  moved.decisions = shift_decisions(candidate.decisions, stretch.old_end, stretch.delta);
  return moved;
}

} // namespace kiln::gates
