#include <gtest/gtest.h>

#include "gates/finding/known.h"

namespace kiln::gates {
namespace {

Identity undefined_at(unsigned line) {
  sim::Finding finding{};
  finding.rule = sim::Rule::kUndefined;
  const std::vector<Frame> frames = {{"clay::f", "kernel-src/lib/f.cpp", line, false}};
  return identify(finding, frames);
}

std::string error_of(std::string_view text) {
  std::string error;
  EXPECT_FALSE(KnownFindings::parse(text, &error).has_value());
  return error;
}

TEST(Known, SilencesByIdentityWithAReason) {
  std::string error;
  auto known = KnownFindings::parse("# comment\n\n  " + undefined_at(12).text() +
                                        " \t the shift is mended next week \r\n",
                                    &error);
  ASSERT_TRUE(known.has_value()) << error;
  EXPECT_EQ(known->size(), 1U);
  EXPECT_EQ(known->unused().size(), 1U);
  const std::string* reason = known->reason(undefined_at(12));
  ASSERT_NE(reason, nullptr);
  EXPECT_EQ(*reason, "the shift is mended next week");
  EXPECT_TRUE(known->unused().empty());
  EXPECT_EQ(known->reason(undefined_at(13)), nullptr);
}

TEST(Known, WithoutALineMatchesEveryLine) {
  std::string error;
  auto known = KnownFindings::parse(undefined_at(12).text_without_line() + " moves often", &error);
  ASSERT_TRUE(known.has_value()) << error;
  EXPECT_NE(known->reason(undefined_at(12)), nullptr);
  EXPECT_NE(known->reason(undefined_at(99)), nullptr);
}

TEST(Known, RefusesWhatItDoesNotUnderstand) {
  std::string good = undefined_at(12).text();
  EXPECT_NE(error_of("\n" + good).find("line 2"), std::string::npos);
  EXPECT_NE(error_of(good).find("has no reason"), std::string::npos);
  EXPECT_NE(error_of("nonsense because").find("is no identity"), std::string::npos);
  EXPECT_NE(error_of("undefined@a.cpp#123 because").find("is no identity"), std::string::npos);
  EXPECT_NE(error_of("undefined@a.cpp#1234567G because").find("is no identity"), std::string::npos);
  EXPECT_NE(error_of("undefined@#12345678 because").find("is no identity"), std::string::npos);
  EXPECT_NE(error_of("bogus@a.cpp#12345678 because").find("no rule 'bogus'"), std::string::npos);
  EXPECT_NE(error_of(good + " a\n" + good + " b").find("twice"), std::string::npos);
}

TEST(Known, QuotesTheBeginningOfWhatIsNoList) {
  EXPECT_LT(error_of(std::string(100'000, 'x')).size(), 300U);
}

TEST(Known, TakesALongList) {
  std::string text;
  for (unsigned i = 0; i < 50'000; ++i)
    text += "undefined@a.cpp#" + std::to_string(10'000'000 + i) + " why\n";
  std::string error;
  EXPECT_TRUE(KnownFindings::parse(text, &error).has_value()) << error;
}

TEST(Known, UnusedEntriesAreNamedWithTheirLine) {
  std::string error;
  auto known = KnownFindings::parse("#\n" + undefined_at(1).text() + " why", &error);
  ASSERT_TRUE(known.has_value());
  ASSERT_EQ(known->unused().size(), 1U);
  EXPECT_NE(known->unused()[0].find("line 2"), std::string::npos);
  EXPECT_NE(known->unused()[0].find(undefined_at(1).text()), std::string::npos);
}

TEST(Known, AFileThatIsNotThereIsOneSentence) {
  std::string error;
  EXPECT_FALSE(KnownFindings::read("/no/such/file", &error).has_value());
  EXPECT_EQ(error, "cannot open '/no/such/file': No such file or directory");
  EXPECT_FALSE(KnownFindings::read("/", &error).has_value());
}

} // namespace
} // namespace kiln::gates
