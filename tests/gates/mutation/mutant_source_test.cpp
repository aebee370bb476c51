#include <algorithm>
#include <gtest/gtest.h>

#include "gates/mutation/mutant_source.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

TEST(MutantSource, TheReplacementStandsInTheOriginalsPlace) {
  SampleTree tree;
  ReportSources sources(tree.path());
  ReportSample sample = report_sample();
  auto text = mutated_text(sample.mutants[0], "(n <= 3)", sources.file(kSampleFile));
  ASSERT_TRUE(text.has_value());
  EXPECT_TRUE(text->starts_with("int f(int n) {\n  if ((n <= 3)) return -1;\n  stop(n);\n"));
  EXPECT_TRUE(text->ends_with("  return n;\n}\n"));
}

TEST(MutantSource, WhatFollowsKeepsItsLine) {
  SampleTree tree;
  ReportSources sources(tree.path());
  sim::Mutant mutant = report_sample().mutants[0];
  mutant.column = 3;
  mutant.end_line = 3;
  mutant.end_column = 11;
  mutant.original = "if (n < 3) return -1; stop(n);";
  auto text = mutated_text(mutant, "{ }", sources.file(kSampleFile));
  ASSERT_TRUE(text.has_value());
  EXPECT_TRUE(text->starts_with("int f(int n) {\n  { }\n\n  say(")) << *text;
}

TEST(MutantSource, NothingOfAFileThatHasChanged) {
  SampleTree tree;
  ReportSources sources(tree.path());
  sim::Mutant mutant = report_sample().mutants[0];
  mutant.original = "n < 4";
  EXPECT_FALSE(mutated_text(mutant, "(n <= 4)", sources.file(kSampleFile)).has_value());
  EXPECT_FALSE(mutated_text(mutant, "", sources.file(kAbsentFile)).has_value());
}

TEST(MutantSource, SaysThatATableIsNotOfThisProgram) {
  std::string error;
  EXPECT_FALSE(read_replacements("/dev/null", &error).has_value());
  EXPECT_NE(error.find("not of this program"), std::string::npos) << error;
}

} // namespace
} // namespace kiln::gates
