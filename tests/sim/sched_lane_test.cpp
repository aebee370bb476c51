#include <gtest/gtest.h>

#include "sim/prng.h"
#include "sim/sched_lane.h"

namespace kiln::sim {

static bool operator==(const Decision& a, const Decision& b) {
  return a.point == b.point && a.alternative == b.alternative;
}

namespace {

TEST(SchedLane, EncodingIsAsDocumented) {
  const Decision kDecisions[] = {{0, 1}, {1, 2}, {0x81, 3}, {0x102, 4}};
  EXPECT_EQ(encode_sched(kDecisions), (std::vector<uint8_t>{0, 1, 0, 2, 0x7F, 3, 0x80, 0x00, 4}));
}

TEST(SchedLane, RoundTrip) {
  Prng prng(4);
  for (unsigned round = 0; round < 500; ++round) {
    std::vector<Decision> decisions;
    uint64_t point = 0;
    for (uint64_t count = prng.below(20); count > 0; --count) {
      point += prng.next() >> (44 + prng.below(20));
      decisions.push_back({point++, static_cast<uint8_t>(1 + prng.below(255))});
    }
    EXPECT_EQ(decode_sched(encode_sched(decisions)), decisions);
  }
}

TEST(SchedLane, LongGapsAreBridged) {
  for (uint64_t point : {kLongestGap - 1, kLongestGap, kLongestGap + 1, 2 * kLongestGap + 1,
                         2 * kLongestGap + 2, 10 * kLongestGap}) {
    const Decision kOne[] = {{point, 9}};
    const std::vector<Decision> got = decode_sched(encode_sched(kOne));
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].point, point);
  }
}

TEST(SchedLane, ArbitraryBytesDecode) {
  Prng prng(5);
  for (size_t size = 0; size < 300; ++size) {
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) {
      byte = static_cast<uint8_t>(prng.next());
    }
    const std::vector<Decision> decisions = decode_sched(bytes);
    for (size_t i = 0; i < decisions.size(); ++i) {
      EXPECT_NE(decisions[i].alternative, 0);
      if (i > 0) {
        EXPECT_LT(decisions[i - 1].point, decisions[i].point);
      }
    }
    EXPECT_EQ(decode_sched(encode_sched(decisions)), decisions);
  }
}

TEST(SchedLane, ZerosAndCutPairsDecideNothing) {
  EXPECT_TRUE(decode_sched({}).empty());
  EXPECT_TRUE(decode_sched(std::vector<uint8_t>(50)).empty());
  EXPECT_TRUE(decode_sched(std::vector<uint8_t>{5}).empty());
  EXPECT_TRUE(decode_sched(std::vector<uint8_t>{0x85}).empty());
  EXPECT_TRUE(decode_sched(std::vector<uint8_t>{0x85, 1}).empty());
}

TEST(SchedLane, RandomBytesPreemptSeldom) {
  Prng prng(6);
  std::vector<uint8_t> bytes(30'000);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(prng.next() & 0x7F);
  }
  const std::vector<Decision> decisions = decode_sched(bytes);
  EXPECT_NEAR(static_cast<double>(decisions.back().point) / static_cast<double>(decisions.size()),
              64.0, 3.0);
}

} // namespace
} // namespace kiln::sim
