#include <gtest/gtest.h>

#include "gates/mutation/tally.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

TEST(ReportTally, CountsTheKernelsMutantsOnly) {
  ReportSample sample = report_sample();
  Tally all = tally_of(sample.report, sample.table()).all;
  EXPECT_EQ(all.made(), 10U);
  EXPECT_EQ(all.killed(), 2U);
  EXPECT_EQ(all.survived(), 3U);
  EXPECT_EQ(all.not_compiled, 1U);
  EXPECT_EQ(score_text(all), "40.0 %");
}

TEST(ReportTally, ByFolderFileAndOperatorInOrderOfNames) {
  ReportSample sample = report_sample();
  Tallies tallies = tally_of(sample.report, sample.table());
  ASSERT_EQ(tallies.folders.size(), 2U);
  EXPECT_EQ(tallies.folders[0].name, "kernel-src/boot");
  EXPECT_EQ(tallies.folders[0].tally.made(), 9U);
  EXPECT_EQ(tallies.folders[1].tally.of(Verdict::kNotReached), 1U);
  ASSERT_EQ(tallies.files.size(), 2U);
  EXPECT_EQ(tallies.files[0].name, kSampleFile);
  ASSERT_EQ(tallies.operators.size(), 6U);
  EXPECT_EQ(tallies.operators[0].name, "boundary");
  EXPECT_EQ(score_text(tallies.operators[0].tally), "100.0 %");
}

TEST(ReportTally, ScoreIsRoundedDownAndAbsentWithoutCounted) {
  Tally tally;
  EXPECT_EQ(score_permille(tally), -1);
  EXPECT_EQ(score_text(tally), "-");
  tally.by_verdict[static_cast<size_t>(Verdict::kEquivalent)] = 5;
  EXPECT_EQ(score_permille(tally), -1);
  tally.by_verdict[static_cast<size_t>(Verdict::kKilled)] = 9999;
  EXPECT_EQ(score_permille(tally), 1000);
  tally.by_verdict[static_cast<size_t>(Verdict::kNotReached)] = 1;
  EXPECT_EQ(score_text(tally), "99.9 %");
}

TEST(ReportTally, ARunOfSomeCountsThePlacesOfItsFilesOnly) {
  ReportSample sample = report_sample();
  sample.unmade.push_back({1, 1, kAbsentFile, "constant", "3", "a case label"});
  EXPECT_EQ(tally_of(sample.report, sample.table()).all.not_compiled, 2U);
  std::erase_if(sample.report.results, [](const MutantResult& it) { return it.number == 3; });
  EXPECT_EQ(tally_of(sample.report, sample.table()).all.not_compiled, 1U);
}

TEST(ReportTally, ARunOfAllCountsPlacesOfFilesWithoutMutantsToo) {
  ReportSample sample = report_sample();
  sample.unmade.push_back({1, 1, "kernel-src/lib/none.h", "constant", "3", "an array's bound"});
  std::erase_if(sample.report.results, [](const MutantResult& it) { return it.number >= 10; });
  EXPECT_EQ(tally_of(sample.report, sample.table()).all.not_compiled, 2U)
      << "all of the kernel's, none of the catalogue's and the harness's";
}

TEST(ReportTally, WordsOfWhatWasSeen) {
  ReportSample sample = report_sample();
  EXPECT_EQ(seen_words(sample.report.results[1], sample.mutants[1]), "10 visits, 4 different");
  EXPECT_EQ(seen_words(sample.report.results[3], sample.mutants[3]), "0 visits");
  sample.mutants[1].compares = false;
  EXPECT_EQ(seen_words(sample.report.results[1], sample.mutants[1]), "10 visits");
}

TEST(ReportTally, APartOfTheHarnessIsRedundantOnlyWhenAllWasTried) {
  HarnessResult part;
  part.kills = 3;
  EXPECT_EQ(harness_words(part), "redundant: no kill is lost");
  part.part = "choice generators/fdt.cpp:30:9";
  EXPECT_EQ(harness_words(part), "none of these is lost");
  part.untried = 2;
  EXPECT_EQ(harness_words(part), "2 more not tried");
  part.untried = 0;
  part.lost = 1;
  EXPECT_EQ(harness_words(part), "");
  EXPECT_EQ(harness_words({}), "no kill to lose");
}

TEST(ReportTally, LeavesOutNumbersThatTheTableDoesNotHave) {
  ReportSample sample = report_sample();
  sample.report.results[0].number = 999;
  EXPECT_EQ(tally_of(sample.report, sample.table()).all.made(), 9U);
}

NamedOutcome outcome_of(const ReportSample& sample) {
  return named_outcomes(sample.report, sample.table()).at(0);
}

TEST(ReportNamed, IsFoundWithinItsInputsByItsTarget) {
  ReportSample sample = report_sample();
  EXPECT_EQ(outcome_of(sample).end, NamedEnd::kTooLate);
  EXPECT_EQ(outcome_of(sample).inputs, 120U);
  sample.named[0].within = 120;
  EXPECT_EQ(outcome_of(sample).end, NamedEnd::kFound);
}

TEST(ReportNamed, AnotherTargetsKillIsNotEnough) {
  ReportSample sample = report_sample();
  sample.named[0].target = "lib/ring";
  EXPECT_EQ(outcome_of(sample).end, NamedEnd::kMissed);
  MutantResult& result = sample.report.results[10];
  result.tries.push_back({"lib/ring", sim::StrategyKind::kPct, 60, true});
  EXPECT_EQ(outcome_of(sample).end, NamedEnd::kFound);
  EXPECT_EQ(outcome_of(sample).inputs, 60U);
}

TEST(ReportNamed, TellsApartWhatWasNotRun) {
  ReportSample sample = report_sample();
  sample.report.results[10] = {};
  sample.report.results[10].number = 10;
  EXPECT_EQ(outcome_of(sample).end, NamedEnd::kNotRun);
  sample.report.results.resize(10);
  EXPECT_TRUE(named_outcomes(sample.report, sample.table()).empty());
}

} // namespace
} // namespace kiln::gates
