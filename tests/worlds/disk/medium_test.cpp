// A medium against a map from sector to bytes, with copies that go their own ways.

#include <cstring>
#include <gtest/gtest.h>
#include <map>

#include "sim/prng.h"
#include "worlds/disk/medium.h"

namespace kiln::worlds {
namespace {

using Model = std::map<uint64_t, std::vector<uint8_t>>;

struct Pair {
  Medium medium;
  Model model;
};

std::vector<uint8_t> sector_of(uint64_t value, uint32_t size) {
  std::vector<uint8_t> bytes(size);
  for (uint32_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<uint8_t>(value * 31 + i);
  }
  return bytes;
}

void expect_same(const Pair& pair, uint64_t sector) {
  const uint32_t size = pair.medium.sector_bytes();
  std::vector<uint8_t> got(size);
  pair.medium.read(sector, got);
  const auto want = pair.model.find(sector);
  ASSERT_EQ(got, want == pair.model.end() ? std::vector<uint8_t>(size) : want->second) << sector;
  ASSERT_EQ(std::memcmp(pair.medium.at(sector), got.data(), size), 0);
}

/// Sectors near the ends of the disk and in its middle.
uint64_t some_sector(sim::Prng& prng, uint64_t sectors) {
  const uint64_t near = std::min<uint64_t>(sectors, 24);
  switch (prng.below(3)) {
  case 0:
    return prng.below(near);
  case 1:
    return sectors - 1 - prng.below(near);
  default:
    return prng.below(sectors);
  }
}

void play(uint64_t sectors, uint32_t sector_bytes) {
  SCOPED_TRACE(testing::Message() << sectors << " sectors of " << sector_bytes);
  sim::Prng prng(sectors ^ sector_bytes);
  std::vector<Pair> pairs;
  pairs.push_back({Medium(sectors, sector_bytes), {}});
  const uint64_t steps = std::max<uint64_t>(20, 100'000 / sector_bytes);
  const uint64_t most = sector_bytes > 4096 ? 3 : 10;
  for (uint64_t step = 0; step < steps; ++step) {
    const size_t which = prng.below(pairs.size());
    const uint64_t sector = some_sector(prng, sectors);
    if (prng.below(8) == 0 && pairs.size() < 5) pairs.push_back(Pair(pairs[which]));
    if (prng.below(8) == 0) pairs[which] = Pair(pairs[prng.below(pairs.size())]);
    Pair& pair = pairs[which];
    const uint64_t count = std::min<uint64_t>(1 + prng.below(most), sectors - sector);
    std::vector<uint8_t> bytes;
    for (uint64_t i = 0; i < count; ++i) {
      const auto one = sector_of(prng.below(4), sector_bytes);
      bytes.insert(bytes.end(), one.begin(), one.end());
      pair.model[sector + i] = one;
    }
    pair.medium.write(sector, bytes);
    std::vector<uint8_t> back(bytes.size());
    pair.medium.read(sector, back);
    ASSERT_EQ(back, bytes);
    expect_same(pairs[prng.below(pairs.size())], some_sector(prng, sectors));
  }
  for (const Pair& pair : pairs) {
    for (const auto& [sector, bytes] : pairs.front().model) {
      expect_same(pair, sector);
    }
    for (const Pair& other : pairs) {
      ASSERT_EQ(pair.medium.same_as(other.medium), pair.medium.hash() == other.medium.hash());
    }
  }
}

TEST(Medium, IsAMapFromSectorsToBytes) {
  for (uint64_t sectors : {uint64_t{1}, uint64_t{7}, uint64_t{129}, uint64_t{100'000},
                           (uint64_t{1} << 32) - 1, (uint64_t{1} << 32) + 1, UINT64_MAX}) {
    play(sectors, 512);
  }
  for (uint32_t bytes : {520u, 528u, 4096u, 65536u}) {
    play(129, bytes);
    play(UINT64_MAX, bytes);
  }
}

TEST(Medium, HashGoesBackWithTheContents) {
  Medium medium(100, 512);
  medium.preload(3, sector_of(1, 512));
  EXPECT_EQ(medium.hash(), 0u);
  medium.write(3, sector_of(2, 512));
  medium.write(4, sector_of(2, 512));
  const uint64_t changed = medium.hash();
  EXPECT_NE(changed, 0u);
  medium.write(4, std::vector<uint8_t>(512));
  EXPECT_NE(medium.hash(), changed);
  medium.write(3, sector_of(1, 512));
  EXPECT_EQ(medium.hash(), 0u);
}

TEST(Medium, LentBytesAreSeenAndLeftAlone) {
  std::vector<uint8_t> image(9 * 512 + 4096 * 3);
  for (size_t i = 0; i < image.size(); ++i) {
    image[i] = static_cast<uint8_t>(i * 7);
  }
  const std::vector<uint8_t> before = image;
  Medium medium(64, 512);
  medium.lend(image);
  std::vector<uint8_t> back(image.size());
  medium.read(0, back);
  EXPECT_EQ(back, image);
  Medium copy = medium;
  copy.write(2, std::vector<uint8_t>(512 * 20, 9));
  EXPECT_EQ(image, before);
  medium.read(0, back);
  EXPECT_EQ(back, image);
  EXPECT_FALSE(medium.same_as(copy));
}

TEST(Medium, SpoiltSectorsHealWhenWritten) {
  Medium medium(10, 512);
  const uint64_t before = medium.hash();
  medium.spoil(4);
  EXPECT_FALSE(medium.readable(4));
  EXPECT_TRUE(medium.readable(5));
  Medium other = medium;
  EXPECT_NE(medium.hash(), before);
  medium.write(4, std::vector<uint8_t>(512));
  EXPECT_TRUE(medium.readable(4));
  EXPECT_FALSE(other.readable(4));
  EXPECT_EQ(medium.hash(), before);
}

TEST(Medium, KeepsItsBytesInAnotherSize) {
  Medium medium(20, 512);
  for (uint8_t i = 0; i < 20; ++i) {
    medium.write(i, std::vector<uint8_t>(512, i));
  }
  const Medium smaller = medium.resized(5, 512);
  EXPECT_EQ(smaller.at(4)[0], 4);
  const Medium grown = smaller.resized(20, 512);
  EXPECT_EQ(grown.at(4)[511], 4);
  EXPECT_EQ(grown.at(5)[0], 0);
  const Medium other = medium.resized(5, 4096); // larger than before: the rest is zeros
  EXPECT_EQ(other.at(0)[0], 0);
  EXPECT_EQ(other.at(0)[4095], 7);
  EXPECT_EQ(other.at(2)[3 * 512], 19);
  EXPECT_EQ(other.at(2)[4 * 512], 0);
  EXPECT_EQ(medium.resized(0, 512).sectors(), 0u);
}

} // namespace
} // namespace kiln::worlds
