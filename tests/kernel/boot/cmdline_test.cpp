#include <gtest/gtest.h>

#include "kernel-src/boot/cmdline.h"

namespace clay::test {
namespace {

TEST(CommandLine, TheLastWordOfANameCounts) {
  const CommandLine line("mem=64M quiet mem=1G");
  EXPECT_EQ(line.size("mem").value(), uint64_t{1} << 30);
  EXPECT_TRUE(line.has("quiet"));
  EXPECT_FALSE(line.has("qui"));
}

TEST(CommandLine, QuotesKeepBlanksAndAreNoPartOfTheValue) {
  const CommandLine line("a=\"one two\" b=o\"\"k");
  char out[16];
  const Result<size_t> size = line.find("a").value().value(Span<char>(out));
  EXPECT_EQ(StringView(out, size.value()), StringView("one two"));
  EXPECT_EQ(line.find("b").value().text(), StringView("b=o\"\"k"));
  EXPECT_TRUE(line.find("a").value().value(Span<char>(out, 6)).failed_with(Error::kNoSpace));
}

TEST(CommandLine, DashesAndUnderscoresAreTheSameInNames) {
  const CommandLine line("log_level=7 x=a_b");
  EXPECT_EQ(line.number("log-level").value(), 7u);
  EXPECT_TRUE(line.number("x").failed_with(Error::kInvalid));
  EXPECT_TRUE(line.number("y").failed_with(Error::kNotFound));
}

TEST(CommandLine, WhatStandsBehindTwoDashesIsForTheFirstProgram) {
  const CommandLine line("ro --   single ro=2");
  EXPECT_EQ(line.for_first_program(), StringView("single ro=2"));
  EXPECT_TRUE(line.boolean("ro").value());
  EXPECT_TRUE(CommandLine("ro").for_first_program().empty());
}

TEST(CommandLine, SwitchesAreOnOrOff) {
  const CommandLine line("a b=on c=0 d=maybe");
  EXPECT_TRUE(line.boolean("a").value());
  EXPECT_TRUE(line.boolean("b").value());
  EXPECT_FALSE(line.boolean("c").value());
  EXPECT_TRUE(line.boolean("d").failed_with(Error::kInvalid));
}

} // namespace
} // namespace clay::test
