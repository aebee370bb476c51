#include <gtest/gtest.h>

#include "kernel-src/lib/number.h"

namespace clay {
namespace {

TEST(Number, ReadsCNotation) {
  EXPECT_EQ(parse_unsigned("0").value(), 0u);
  EXPECT_EQ(parse_unsigned("1234567890").value(), 1234567890u);
  EXPECT_EQ(parse_unsigned("0x7fFF").value(), 0x7FFFu);
  EXPECT_EQ(parse_unsigned("0b101").value(), 5u);
  EXPECT_EQ(parse_unsigned("0755").value(), 0755u);
  EXPECT_EQ(parse_digits("zZ", 36).value(), 35u * 36 + 35);
}

TEST(Number, RefusesAnythingElse) {
  for (const char* const text :
       {"", "x", "1x", " 1", "1 ", "+1", "-1", "0x", "0b", "0b2", "08", "1.0"}) {
    EXPECT_TRUE(parse_unsigned(text).failed_with(Error::kInvalid)) << text;
  }
}

TEST(Number, EndsAt64Bits) {
  EXPECT_EQ(parse_unsigned("18446744073709551615").value(), UINT64_MAX);
  EXPECT_TRUE(parse_unsigned("18446744073709551616").failed_with(Error::kOverflow));
  EXPECT_TRUE(parse_unsigned("0x10000000000000000").failed_with(Error::kOverflow));
  EXPECT_EQ(parse_unsigned("0x0000000000000000000001").value(), 1u);
}

TEST(Number, SignsEndAtTheirOwnEdges) {
  EXPECT_EQ(parse_signed("-9223372036854775808").value(), INT64_MIN);
  EXPECT_EQ(parse_signed("+9223372036854775807").value(), INT64_MAX);
  EXPECT_EQ(parse_signed("-0x10").value(), -16);
  EXPECT_EQ(parse_signed("-0").value(), 0);
  EXPECT_TRUE(parse_signed("9223372036854775808").failed_with(Error::kOverflow));
  EXPECT_TRUE(parse_signed("-9223372036854775809").failed_with(Error::kOverflow));
  EXPECT_TRUE(parse_signed("--1").failed_with(Error::kInvalid));
  EXPECT_TRUE(parse_signed("-").failed_with(Error::kInvalid));
}

TEST(Number, SizesHaveSuffixes) {
  EXPECT_EQ(parse_size("64").value(), 64u);
  EXPECT_EQ(parse_size("64k").value(), 64u << 10);
  EXPECT_EQ(parse_size("0x10M").value(), 16u << 20);
  EXPECT_EQ(parse_size("3G").value(), uint64_t{3} << 30);
  EXPECT_EQ(parse_size("16777215T").value(), uint64_t{16777215} << 40);
  EXPECT_TRUE(parse_size("16777216T").failed_with(Error::kOverflow));
  EXPECT_TRUE(parse_size("K").failed_with(Error::kInvalid));
  EXPECT_TRUE(parse_size("").failed_with(Error::kInvalid));
}

} // namespace
} // namespace clay
