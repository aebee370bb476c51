#include <array>
#include <gtest/gtest.h>
#include <span>
#include <string_view>

#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"

namespace clay {
namespace {

TEST(Span, ComesFromAnythingContiguous) {
  int array[3] = {1, 2, 3};
  std::array<int, 2> standard = {4, 5};
  EXPECT_EQ(Span<int>(array).size(), 3u);
  EXPECT_EQ(Span<const int>(standard).back(), 5);
  EXPECT_EQ(Span<const int>(std::span<int>(array)).front(), 1);
  const Span<const int> constant = Span<int>(array);
  EXPECT_EQ(constant.data(), array);
  static_assert(!std::is_convertible_v<Span<const int>, Span<int>>);
  static_assert(!std::is_convertible_v<Span<int>, Span<long>>);
}

TEST(Span, PartsAreParts) {
  const int array[5] = {1, 2, 3, 4, 5};
  const Span<const int> all(array);
  EXPECT_EQ(all.first(2).back(), 2);
  EXPECT_EQ(all.last(2).front(), 4);
  EXPECT_EQ(all.from(5).size(), 0u);
  EXPECT_EQ(all.subspan(1, 3)[2], 4);
  EXPECT_TRUE(all.slice(5, 0).ok());
  EXPECT_TRUE(all.slice(4, 2).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(all.slice(6, 0).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(all.slice(1, SIZE_MAX).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(same_elements(all.first(2), Span<const int>(array, 2)));
  EXPECT_FALSE(same_elements(all.first(2), all.last(2)));
  EXPECT_FALSE(same_elements(all.first(2), all.first(3)));
}

TEST(StringView, ComparesByContent) {
  constexpr StringView kName("cpu@1");
  static_assert(kName == StringView("cpu@1x", 5));
  EXPECT_FALSE(kName == "cpu@");
  EXPECT_FALSE(kName == "cpu@2");
  EXPECT_TRUE(StringView() == "");
  EXPECT_TRUE(kName.starts_with("cpu@"));
  EXPECT_TRUE(kName.ends_with("@1"));
  EXPECT_FALSE(kName.starts_with("cpu@11"));
  EXPECT_EQ(kName.find('@'), 3u);
  EXPECT_EQ(kName.find('x'), StringView::kNotFound);
}

TEST(StringView, SplitsIntoItsParts) {
  StringView rest("usr//bin");
  EXPECT_TRUE(rest.split_off('/') == "usr");
  EXPECT_TRUE(rest.split_off('/') == "");
  EXPECT_TRUE(rest.split_off('/') == "bin");
  EXPECT_TRUE(rest.empty());
  EXPECT_TRUE(rest.split_off('/') == "");
}

} // namespace
} // namespace clay
