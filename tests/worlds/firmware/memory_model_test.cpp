#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "worlds/firmware/memory_model.h"

namespace kiln::worlds {
namespace {

/// The highest rank of all entries that cover `address`, entry by entry.
MemoryRank rank_at(const std::vector<MemorySegment>& entries, Wide address) {
  MemoryRank rank = MemoryRank::kNone;
  for (const MemorySegment& entry : entries) {
    if (entry.first <= address && address < entry.end) rank = std::max(rank, entry.rank);
  }
  return rank;
}

TEST(MemoryModel, SegmentsSayOfEveryByteWhatItsEntriesSay) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    MemoryModel model;
    std::vector<MemorySegment> entries;
    for (unsigned count = random() % 8; count != 0; --count) {
      const unsigned first = random() % 24;
      const unsigned end = first + 1 + random() % 8;
      const auto rank = static_cast<MemoryRank>(1 + random() % 8);
      entries.push_back({first, end, rank});
      model.add(first, end, rank);
    }
    const std::vector<MemorySegment> segments = model.segments();
    for (unsigned address = 0; address < 40; ++address) {
      ASSERT_EQ(rank_at(segments, address), rank_at(entries, address)) << round << ", " << address;
    }
    for (size_t i = 0; i + 1 < segments.size(); ++i) {
      ASSERT_LE(segments[i].end, segments[i + 1].first);
      ASSERT_TRUE(segments[i].end < segments[i + 1].first ||
                  segments[i].rank != segments[i + 1].rank);
    }
  }
}

TEST(MemoryModel, ReachesTheLastByteOf64Bits) {
  MemoryModel model;
  model.add(MemoryModel::kEnd - 4096, MemoryModel::kEnd, MemoryRank::kUsable);
  model.add(MemoryModel::kEnd - 1, MemoryModel::kEnd, MemoryRank::kReserved);
  const std::vector<MemorySegment> segments = model.segments();
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].end, MemoryModel::kEnd - 1);
  EXPECT_EQ(segments[1].end, MemoryModel::kEnd);
  EXPECT_EQ(segments[1].rank, MemoryRank::kReserved);
}

} // namespace
} // namespace kiln::worlds
