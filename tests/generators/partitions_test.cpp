// The generators' promises: nothing drawn is a plain, sound table; the same tape, the same disk;
// every lie is told; half of all tables are sound.

#include <gtest/gtest.h>
#include <map>

#include "generators/endian.h"
#include "generators/gpt.h"
#include "generators/mbr.h"

namespace kiln::gen {
namespace {

sim::Tape from_seed(uint64_t iteration) {
  return sim::Tape(sim::SeededInput{"block/part", 1, iteration, 1024});
}

TEST(GptGenerator, AnEmptyTapeIsAnEmptyTable) {
  sim::Tape tape{std::span<const uint8_t>()};
  const GptProduct product = make_gpt(tape);
  EXPECT_EQ(product.lie, GptLie::kNone);
  EXPECT_EQ(product.disk.sector_bytes, 512u);
  EXPECT_TRUE(product.meant.empty());
  const std::vector<uint8_t>& header = product.disk.contents.at(1);
  EXPECT_EQ(load_le<uint32_t>(&header[80]), 128u);
  EXPECT_TRUE(product.disk.contents.contains(product.disk.sectors - 1)) << "the backup";
}

TEST(MbrGenerator, AnEmptyTapeIsAnEmptyTable) {
  sim::Tape tape{std::span<const uint8_t>()};
  const MbrProduct product = make_mbr(tape);
  EXPECT_EQ(product.lie, MbrLie::kNone);
  EXPECT_TRUE(product.meant.empty());
  ASSERT_EQ(product.disk.contents.size(), 1u);
  EXPECT_EQ(load_le<uint16_t>(&product.disk.contents.at(0)[510]), 0xAA55);
}

TEST(PartitionGenerators, TheSameTapeMakesTheSameDisk) {
  for (uint64_t i = 0; i < 50; ++i) {
    sim::Tape first = from_seed(i);
    sim::Tape second = from_seed(i);
    EXPECT_EQ(make_gpt(first).disk.contents, make_gpt(second).disk.contents) << i;
    EXPECT_EQ(make_mbr(first).disk.contents, make_mbr(second).disk.contents) << i;
  }
}

/// Each lie several times, and half of all tables sound.
template <typename Lie> void expect_told(const std::map<Lie, unsigned>& told, size_t lies) {
  EXPECT_EQ(told.size(), lies);
  unsigned tables = 0;
  for (const auto& [lie, times] : told) {
    EXPECT_GE(times, 5u) << static_cast<unsigned>(lie);
    tables += times;
  }
  EXPECT_GT(told.at(Lie::kNone), tables * 2 / 5);
}

TEST(GptGenerator, TellsEveryLieAndIsSoundHalfOfTheTime) {
  std::map<GptLie, unsigned> told;
  for (uint64_t i = 0; i < 2000; ++i) {
    sim::Tape tape = from_seed(i);
    ++told[make_gpt(tape).lie];
  }
  expect_told(told, kGptLies);
}

TEST(MbrGenerator, TellsEveryLieAndIsSoundHalfOfTheTime) {
  std::map<MbrLie, unsigned> told;
  for (uint64_t i = 0; i < 2000; ++i) {
    sim::Tape tape = from_seed(i);
    ++told[make_mbr(tape).lie];
  }
  expect_told(told, kMbrLies);
}

} // namespace
} // namespace kiln::gen
