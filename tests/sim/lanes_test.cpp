#include <gtest/gtest.h>

#include "sim/lanes.h"
#include "sim/prng.h"

namespace kiln::sim {
namespace {

std::vector<uint8_t> random_bytes(Prng& prng, size_t size) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(prng.next());
  }
  return bytes;
}

TEST(Lanes, LayoutIsAsDocumented) {
  EXPECT_EQ(flat_position(Lane::kSwarm, 7), 7u);
  EXPECT_EQ(flat_position(Lane::kData, 0), 8u);
  EXPECT_EQ(flat_position(Lane::kData, 9), 17u);
  EXPECT_EQ(flat_position(Lane::kSched, 0), 18u);
  EXPECT_EQ(flat_position(Lane::kWorld, 1), 21u);
  EXPECT_EQ(flat_position(Lane::kFault, 0), 22u);
  EXPECT_EQ(flat_position(Lane::kRace, 0), 23u);
  EXPECT_EQ(flat_position(Lane::kData, 10), 24u);
  EXPECT_EQ(flat_position(Lane::kSched, 3), 35u);
}

TEST(Lanes, EveryFlatPositionBelongsToOneLane) {
  for (size_t flat = 0; flat < 4096; ++flat) {
    const LanePosition at = lane_position(flat);
    EXPECT_EQ(flat_position(at.lane, at.index), flat);
    EXPECT_EQ(lane_size(at.lane, flat), at.index);
    EXPECT_EQ(lane_size(at.lane, flat + 1), at.index + 1);
  }
}

TEST(Lanes, SplitAndJoinAreInverse) {
  Prng prng(1);
  for (size_t size = 0; size < 300; ++size) {
    std::vector<uint8_t> flat = random_bytes(prng, size);
    if (size > 0) flat.back() |= 1;
    EXPECT_EQ(join_lanes(split_lanes(flat)), flat);
  }
}

TEST(Lanes, JoinDropsTrailingZerosOfEachLane) {
  Lanes lanes;
  lanes[Lane::kData] = {1, 0, 0};
  lanes[Lane::kRace] = {0, 0, 0, 0};
  EXPECT_EQ(join_lanes(lanes), (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(join_lanes(Lanes{}).empty());
}

TEST(Lanes, SwarmKeepsToItsBytes) {
  Lanes lanes;
  lanes[Lane::kSwarm].assign(12, 0xEE);
  EXPECT_EQ(join_lanes(lanes), std::vector<uint8_t>(8, 0xEE));
}

} // namespace
} // namespace kiln::sim
