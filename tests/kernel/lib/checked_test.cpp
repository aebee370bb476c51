#include <gtest/gtest.h>

#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

// Every pair of 8-bit numbers against arithmetic in a wider type.
template <typename T, typename Check> void for_all_pairs(Check check) {
  constexpr int kLow = std::is_signed_v<T> ? -128 : 0;
  for (int a = kLow; a < kLow + 256; ++a) {
    for (int b = kLow; b < kLow + 256; ++b) {
      check(a, b);
    }
  }
}

template <typename T> bool agrees(Result<T> got, int exact) {
  const bool fits =
      exact >= std::numeric_limits<T>::min() && exact <= std::numeric_limits<T>::max();
  return fits ? got.ok() && got.value() == exact : got.failed_with(Error::kOverflow);
}

template <typename T> void check_all_sums() {
  for_all_pairs<T>([](int a, int b) {
    const T x = static_cast<T>(a);
    const T y = static_cast<T>(b);
    ASSERT_TRUE(agrees(checked_add(x, y), a + b)) << a << " + " << b;
    ASSERT_TRUE(agrees(checked_sub(x, y), a - b)) << a << " - " << b;
    ASSERT_TRUE(agrees(checked_mul(x, y), a * b)) << a << " * " << b;
    ASSERT_EQ(static_cast<uint8_t>(wrapping_add(x, y)), (a + b) & 0xFF);
    ASSERT_EQ(static_cast<uint8_t>(wrapping_sub(x, y)), (a - b) & 0xFF);
    ASSERT_EQ(static_cast<uint8_t>(wrapping_mul(x, y)), (a * b) & 0xFF);
  });
}

TEST(Checked, AgreesWithWiderArithmeticUnsigned) { check_all_sums<uint8_t>(); }
TEST(Checked, AgreesWithWiderArithmeticSigned) { check_all_sums<int8_t>(); }

TEST(Checked, SaturatingStopsAtTheEnd) {
  for_all_pairs<uint8_t>([](int a, int b) {
    const uint8_t x = static_cast<uint8_t>(a);
    const uint8_t y = static_cast<uint8_t>(b);
    ASSERT_EQ(saturating_add(x, y), std::min(a + b, 255));
    ASSERT_EQ(saturating_sub(x, y), std::max(a - b, 0));
    ASSERT_EQ(saturating_mul(x, y), std::min(a * b, 255));
  });
}

TEST(Checked, ShiftsLoseNoBit) {
  EXPECT_EQ(checked_shl<uint32_t>(1, 31).value(), 0x8000'0000u);
  EXPECT_TRUE(checked_shl<uint32_t>(2, 31).failed_with(Error::kOverflow));
  EXPECT_TRUE(checked_shl<uint32_t>(0, 32).failed_with(Error::kOverflow));
  EXPECT_EQ(checked_shl<uint8_t>(0x0F, 4).value(), 0xF0);
  EXPECT_TRUE(checked_shl<uint8_t>(0x1F, 4).failed_with(Error::kOverflow));
  EXPECT_EQ(wrapping_shl<uint32_t>(0xC000'0001u, 1), 0x8000'0002u);
  EXPECT_EQ(wrapping_shl<uint8_t>(0xFF, 0), 0xFF);
}

TEST(Checked, CastsKeepTheNumber) {
  EXPECT_EQ(checked_cast<uint8_t>(255).value(), 255);
  EXPECT_TRUE(checked_cast<uint8_t>(256).failed_with(Error::kOverflow));
  EXPECT_TRUE(checked_cast<uint32_t>(-1).failed_with(Error::kOverflow));
  EXPECT_TRUE(checked_cast<int64_t>(UINT64_MAX).failed_with(Error::kOverflow));
  EXPECT_EQ(checked_cast<int8_t>(INT64_C(-128)).value(), -128);
  EXPECT_EQ(truncate_to<uint8_t>(0x1234u), 0x34);
  EXPECT_EQ(truncate_to<int8_t>(0xFFu), -1);
  EXPECT_EQ(truncate_to<uint32_t>(-1), UINT32_MAX);
}

TEST(Checked, NegationWraps) {
  EXPECT_EQ(wrapping_neg(INT32_MIN), INT32_MIN);
  EXPECT_EQ(wrapping_neg<uint32_t>(1), UINT32_MAX);
  EXPECT_EQ(wrapping_neg<uint64_t>(0), 0u);
}

TEST(Checked, AlignsUpToTheLastMultiple) {
  EXPECT_EQ(align_up<uint32_t>(0, 4096).value(), 0u);
  EXPECT_EQ(align_up<uint32_t>(1, 4096).value(), 4096u);
  EXPECT_EQ(align_up<uint32_t>(0xFFFF'F000u, 4096).value(), 0xFFFF'F000u);
  EXPECT_TRUE(align_up<uint32_t>(0xFFFF'F001u, 4096).failed_with(Error::kOverflow));
  EXPECT_EQ(align_up<uint8_t>(255, 1).value(), 255);
  EXPECT_TRUE(align_up<uint8_t>(129, 128).failed_with(Error::kOverflow));
  EXPECT_EQ(align_down<uint64_t>(UINT64_MAX, 4096), UINT64_MAX - 4095);
  EXPECT_TRUE(is_aligned<uint64_t>(8192, 4096));
  EXPECT_FALSE(is_aligned<uint64_t>(8193, 4096));
  EXPECT_FALSE(is_power_of_two(0u));
}

TEST(Checked, DividesUpWithoutOverflow) {
  EXPECT_EQ(divide_up<uint32_t>(0, 7), 0u);
  EXPECT_EQ(divide_up<uint32_t>(14, 7), 2u);
  EXPECT_EQ(divide_up<uint32_t>(15, 7), 3u);
  EXPECT_EQ(divide_up<uint64_t>(UINT64_MAX, 2), UINT64_C(1) << 63);
}

TEST(Checked, RangesNeverWrap) {
  EXPECT_TRUE(range_within<uint64_t>(0, 0, 0));
  EXPECT_TRUE(range_within<uint64_t>(4, 4, 8));
  EXPECT_FALSE(range_within<uint64_t>(5, 4, 8));
  EXPECT_FALSE(range_within<uint64_t>(9, 0, 8));
  EXPECT_FALSE(range_within<uint64_t>(UINT64_MAX, 2, 8));
  EXPECT_FALSE(range_within<uint64_t>(1, UINT64_MAX, 8));
  EXPECT_TRUE(range_within<uint64_t>(0, UINT64_MAX, UINT64_MAX));
}

} // namespace
} // namespace clay
