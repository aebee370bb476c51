#include <gtest/gtest.h>

#include "kernel-src/lib/result.h"

namespace clay {
namespace {

// Counts its copies that are alive, and cannot be copied.
struct Counted {
  static inline int alive = 0;
  int number;
  explicit Counted(int n) : number(n) { ++alive; }
  Counted(Counted&& other) noexcept : number(other.number) { ++alive; }
  Counted& operator=(Counted&&) = delete;
  ~Counted() { --alive; }
};

Result<int> half(int n) {
  if (n % 2 != 0) {
    return Error::kInvalid;
  }
  return n / 2;
}

Result<void> check_even(int n) {
  CLAY_TRY(half(n));
  return {};
}

Result<Counted> make(int n) { return Counted(CLAY_TRY(half(n))); }

Result<int> quarter_sum(int a, int b) {
  CLAY_TRY(check_even(a));
  return CLAY_TRY(half(CLAY_TRY(half(a)))) + CLAY_TRY(half(CLAY_TRY(half(b))));
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_TRUE(half(4).ok());
  EXPECT_EQ(half(4).value(), 2);
  EXPECT_FALSE(half(3).ok());
  EXPECT_EQ(half(3).error(), Error::kInvalid);
  EXPECT_TRUE(half(3).failed_with(Error::kInvalid));
  EXPECT_FALSE(half(3).failed_with(Error::kIo));
  EXPECT_FALSE(half(4).failed_with(Error::kInvalid));
}

TEST(Result, TryPassesTheFirstErrorOn) {
  EXPECT_EQ(quarter_sum(8, 4).value(), 3);
  EXPECT_EQ(quarter_sum(3, 4).error(), Error::kInvalid);
  EXPECT_EQ(quarter_sum(4, 6).error(), Error::kInvalid);
}

TEST(Result, ValueOrGivesTheFallbackOnlyForErrors) {
  EXPECT_EQ(half(6).value_or(7), 3);
  EXPECT_EQ(half(5).value_or(7), 7);
}

TEST(Result, MovesValuesThatCannotBeCopied) {
  {
    Result<Counted> made = make(10);
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(Counted::alive, 1);
    Result<Counted> moved = std::move(made);
    EXPECT_EQ(Counted::alive, 2);
    const Counted taken = moved.take();
    EXPECT_EQ(taken.number, 5);
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(Result, AssignmentEndsTheOldValue) {
  Result<Counted> kept = make(2);
  kept = Error::kIo;
  EXPECT_EQ(Counted::alive, 0);
  EXPECT_EQ(kept.error(), Error::kIo);
  kept = make(6);
  EXPECT_EQ(Counted::alive, 1);
  EXPECT_EQ(kept.value().number, 3);
  kept = make(8);
  EXPECT_EQ(Counted::alive, 1);
  EXPECT_EQ(kept.value().number, 4);
}

TEST(Result, VoidSucceedsByDefault) {
  EXPECT_TRUE(check_even(2).ok());
  EXPECT_TRUE(check_even(1).failed_with(Error::kInvalid));
}

TEST(Result, IsTrivialWhereItsValueIs) {
  static_assert(std::is_trivially_copy_constructible_v<Result<int>>);
  static_assert(std::is_trivially_destructible_v<Result<int>>);
  static_assert(!std::is_trivially_destructible_v<Result<Counted>>);
  static_assert(!std::is_copy_constructible_v<Result<Counted>>);
  static_assert(Result<int>(3).value() == 3);
}

TEST(Result, EveryErrorHasAText) {
  EXPECT_STREQ(error_text(Error::kTruncated), "the data ends too early");
  EXPECT_STREQ(error_text(static_cast<Error>(200)), "an unknown error");
}

} // namespace
} // namespace clay
