// What single draws give: ranges, odds and bias.

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "sim/prng.h"
#include "sim/tape.h"

namespace kiln::sim {
namespace {

/// A tape whose data lane is `bytes`.
std::vector<uint8_t> data_tape(std::vector<uint8_t> bytes) {
  Lanes lanes;
  lanes[Lane::kData] = std::move(bytes);
  return join_lanes(lanes);
}

/// Data bytes that hold every 16-bit value once.
std::vector<uint8_t> all_16_bit_values() {
  std::vector<uint8_t> bytes;
  for (unsigned value = 0; value < 0x10000; ++value) {
    bytes.push_back(static_cast<uint8_t>(value));
    bytes.push_back(static_cast<uint8_t>(value >> 8));
  }
  return data_tape(bytes);
}

TEST(TapeValues, BelowGivesEachValueItsShare) {
  std::vector<uint8_t> every_byte(256);
  for (unsigned i = 0; i < 256; ++i) {
    every_byte[i] = static_cast<uint8_t>(i);
  }
  const std::vector<uint8_t> flat = data_tape(every_byte);
  for (unsigned n = 1; n <= 256; ++n) {
    Tape tape(flat);
    std::vector<unsigned> counts(n);
    for (unsigned i = 0; i < 256; ++i) {
      ++counts.at(tape.data().below(n));
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_EQ(*least, 256 / n);
    EXPECT_LE(*most, *least + 1);
  }
}

TEST(TapeValues, BelowConsumesWhatItsBoundNeeds) {
  const std::pair<uint64_t, unsigned> kWidths[] = {
      {0, 1},         {1, 1},     {256, 1},        {257, 2},
      {65536, 2},     {65537, 4}, {1ULL << 32, 4}, {(1ULL << 32) + 1, 8},
      {UINT64_MAX, 8}};
  for (const auto& [n, width] : kWidths) {
    Tape tape(std::span<const uint8_t>{});
    TapeRecord record;
    tape.record_into(&record);
    tape.data().below(n);
    EXPECT_EQ(record.draws.at(0).width, width) << n;
  }
}

TEST(TapeValues, BetweenTakesWholeRange) {
  const std::vector<uint8_t> flat = data_tape(std::vector<uint8_t>(8, 0xFF));
  EXPECT_EQ(Tape(flat).data().between(0, UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(Tape(flat).data().between(1, UINT64_MAX), 1u);
  EXPECT_EQ(Tape(flat).data().between(7, 7), 7u);
}

TEST(TapeValues, OddsAreAsNamed) {
  const std::vector<uint8_t> flat = all_16_bit_values();
  Tape tape(flat);
  Tape third(flat);
  Tape one(flat);
  unsigned rare = 0;
  unsigned thirds = 0;
  unsigned ones = 0;
  for (unsigned i = 0; i < 0x10000; ++i) {
    rare += tape.data().rare();
    thirds += third.data().chance(1, 3);
    ones += one.data().chance(1, 65536);
  }
  EXPECT_EQ(rare, 16u);
  EXPECT_EQ(thirds, 0x10000u / 3);
  EXPECT_EQ(ones, 1u);
}

TEST(TapeValues, WeightedFollowsItsWeights) {
  const std::vector<uint8_t> flat = all_16_bit_values();
  Tape tape(flat);
  unsigned counts[4] = {};
  for (unsigned i = 0; i < 0x10000; ++i) {
    ++counts[tape.data().weighted({4, 0, 3, 1})];
  }
  EXPECT_EQ(counts[0], 0x8000u);
  EXPECT_EQ(counts[1], 0u);
  EXPECT_EQ(counts[2], 0x6000u);
  EXPECT_EQ(counts[3], 0x2000u);
}

TEST(TapeValues, EdgesReachTheCorners) {
  Prng prng(1);
  std::vector<uint8_t> bytes(200'000);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(prng.next()); });
  const std::vector<uint8_t> flat = data_tape(bytes);
  Tape tape(flat);
  std::map<uint32_t, unsigned> seen32;
  std::map<uint64_t, unsigned> seen64;
  for (unsigned i = 0; i < 12'000; ++i) {
    ++seen32[tape.data().edge32()];
    ++seen64[tape.data().edge64()];
  }
  for (uint32_t corner : {0u, 1u, 127u, 128u, 255u, 256u, 65535u, 65536u, 0x7FFFFFFFu, 0x80000000u,
                          0xFFFFFFFEu, 0xFFFFFFFFu}) {
    EXPECT_GT(seen32[corner], 3u) << corner;
  }
  for (uint64_t corner : {uint64_t{0}, uint64_t{1}, uint64_t{INT64_MAX}, uint64_t{1} << 63,
                          UINT64_MAX, UINT64_MAX - 1, uint64_t{1} << 32}) {
    EXPECT_GT(seen64[corner], 3u) << corner;
  }
  EXPECT_GT(seen32.size(), 1000u);
}

TEST(TapeValues, NoiseIsLongAndCheap) {
  const std::vector<uint8_t> flat = data_tape({1, 0, 0, 0, 9});
  Tape tape(flat);
  std::vector<uint8_t> payload(1461);
  tape.data().noise(payload);
  EXPECT_EQ(tape.data().u8(), 9u);
  EXPECT_GT(std::count_if(payload.begin(), payload.end(), [](uint8_t b) { return b != 0; }), 1400);
}

} // namespace
} // namespace kiln::sim
