#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "kernel-src/lib/bitmap.h"

namespace clay {
namespace {

TEST(Bitmap, StartsClear) {
  Bitmap<70> bitmap;
  EXPECT_EQ(bitmap.view().size(), 70u);
  EXPECT_EQ(bitmap.view().count(), 0u);
  EXPECT_EQ(bitmap.view().find_set(0), kNoBit);
  EXPECT_EQ(bitmap.view().find_clear(0), 0u);
  EXPECT_EQ(bitmap.view().find_clear(70), kNoBit);
}

TEST(Bitmap, RangesCrossWords) {
  Bitmap<200> bitmap;
  auto view = bitmap.view();
  view.set_range(60, 80);
  EXPECT_FALSE(bitmap.test(59));
  EXPECT_TRUE(bitmap.test(60));
  EXPECT_TRUE(bitmap.test(139));
  EXPECT_FALSE(bitmap.test(140));
  EXPECT_TRUE(view.all_set(60, 80));
  EXPECT_FALSE(view.all_set(60, 81));
  EXPECT_TRUE(view.all_clear(140, 60));
  EXPECT_FALSE(view.all_clear(139, 61));
  EXPECT_EQ(view.count(0, 64), 4u);
  EXPECT_EQ(view.find_set(0), 60u);
  EXPECT_EQ(view.find_clear(60), 140u);
  view.clear_range(64, 64);
  EXPECT_EQ(view.count(), 16u);
  EXPECT_EQ(view.find_set(64), 128u);
}

TEST(Bitmap, FindsAlignedRuns) {
  Bitmap<64> bitmap;
  auto view = bitmap.view();
  view.set(0);
  view.set(9);
  EXPECT_EQ(view.find_clear_run(0, 8), 1u);
  EXPECT_EQ(view.find_clear_run(0, 9), 10u);
  EXPECT_EQ(view.find_clear_run(0, 8, 8), 16u);
  EXPECT_EQ(view.find_clear_run(0, 54), 10u);
  EXPECT_EQ(view.find_clear_run(0, 55), kNoBit);
  EXPECT_EQ(view.find_clear_run(64, 1), kNoBit);
  EXPECT_EQ(view.find_clear_run(0, SIZE_MAX), kNoBit);
}

TEST(Bitmap, NeverTouchesBitsBehindItsEnd) {
  uint8_t bytes[2] = {0xFF, 0xF0};
  BitmapView<uint8_t> view(bytes, 12);
  EXPECT_EQ(view.find_clear(0), 8u);
  EXPECT_EQ(view.count(), 8u);
  view.clear_range(0, 12);
  EXPECT_EQ(bytes[1], 0xF0);
  EXPECT_EQ(view.find_set(0), kNoBit);
  view.set_range(0, 12);
  EXPECT_EQ(view.find_clear(0), kNoBit);
}

template <typename Word> void agree_with_a_vector(unsigned seed) {
  std::mt19937 random(seed);
  const size_t bits = random() % 150 + 1;
  std::vector<Word> words(bits / (8 * sizeof(Word)) + 1);
  BitmapView<Word> view(words, bits);
  std::vector<bool> model(bits);
  for (int step = 0; step < 200; ++step) {
    const size_t first = random() % (bits + 1);
    const size_t count = random() % (bits - first + 1);
    const bool value = random() % 2 != 0;
    value ? view.set_range(first, count) : view.clear_range(first, count);
    std::fill_n(model.begin() + static_cast<ptrdiff_t>(first), count, value);
    const size_t from = random() % (bits + 1);
    const auto found = std::find(model.begin() + static_cast<ptrdiff_t>(from), model.end(), true);
    const size_t want = found == model.end() ? kNoBit : static_cast<size_t>(found - model.begin());
    ASSERT_EQ(view.find_set(from), want);
    ASSERT_EQ(view.count(), static_cast<size_t>(std::count(model.begin(), model.end(), true)));
  }
  for (size_t bit = 0; bit < bits; ++bit) {
    ASSERT_EQ(view.test(bit), model[bit]);
  }
}

TEST(Bitmap, AgreesWithAVectorForEveryWordWidth) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    agree_with_a_vector<uint8_t>(seed);
    agree_with_a_vector<uint16_t>(seed);
    agree_with_a_vector<uint32_t>(seed);
    agree_with_a_vector<uint64_t>(seed);
  }
}

} // namespace
} // namespace clay
