#include <gtest/gtest.h>

#include "gates/tape/reanchor.h"

namespace kiln::gates {
namespace {

constexpr size_t kPoints = static_cast<size_t>(sim::Lane::kSched);

std::vector<uint64_t> points_of(std::span<const sim::Decision> decisions) {
  std::vector<uint64_t> points;
  for (const sim::Decision& decision : decisions) {
    points.push_back(decision.point);
  }
  return points;
}

/// A run whose spans follow each other and take so many points each.
sim::TapeRecord steps(std::initializer_list<size_t> sizes) {
  sim::TapeRecord record;
  size_t at = 0;
  for (size_t size : sizes) {
    sim::SpanRecord span{"step", UINT32_MAX, sim::Lane::kData, true, {}, {}};
    span.begin[kPoints] = at;
    span.end[kPoints] = at += size;
    record.spans.push_back(span);
  }
  return record;
}

TEST(Reanchor, MovesWhatComesAfterTheEdit) {
  const Candidate candidate{{}, {{3, 1}, {12, 1}, {25, 2}}};
  const auto moved = reanchor(candidate, steps({10, 10, 10}), steps({10, 4, 10}));
  ASSERT_TRUE(moved);
  EXPECT_EQ(points_of(moved->decisions), (std::vector<uint64_t>{3, 12, 19}));
}

TEST(Reanchor, SaysNothingWhenNothingMoved) {
  const Candidate candidate{{}, {{3, 1}}};
  EXPECT_FALSE(reanchor(candidate, steps({10, 10}), steps({10, 10})));
  EXPECT_FALSE(reanchor(candidate, steps({10, 10}), steps({10, 4})));
  EXPECT_FALSE(reanchor(Candidate{}, steps({10}), steps({4})));
  EXPECT_FALSE(reanchor(candidate, {}, {}));
}

TEST(Reanchor, ShiftKeepsPointsAscending) {
  const std::vector<sim::Decision> decisions = {{2, 1}, {5, 1}, {9, 1}};
  EXPECT_EQ(points_of(shift_decisions(decisions, 5, 4)), (std::vector<uint64_t>{2, 9, 13}));
  EXPECT_EQ(points_of(shift_decisions(decisions, 5, -3)), (std::vector<uint64_t>{2, 6}));
  EXPECT_EQ(points_of(shift_decisions(decisions, 0, -5)), (std::vector<uint64_t>{0, 4}));
}

} // namespace
} // namespace kiln::gates
