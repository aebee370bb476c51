#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gates/mutation/report_table.h"
#include "gates/worker/death.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string table_of(const ReportSample& sample, size_t most = 40) {
  return mutation_table(sample.report, sample.table(), {.most_survivors = most});
}

TEST(ReportTable, RowsOfFoldersFilesAndAll) {
  std::string text = table_of(report_sample());
  EXPECT_THAT(text, ContainsRegex("  kernel-src/boot/ +9 +2 +0 +1 +1 +1 +1 +1  50\\.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("    a\\.cpp +9 +2 +0 +1 +1 +1 +1 +1  50\\.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("  kernel-src/lib/ +1 +0 +1 +0 +0 +0 +0 +0   0\\.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("  all +10 +2 +1 +1 +1 +1 +1 +1  40\\.0 %\n"));
  EXPECT_THAT(text, HasSubstr("Besides: 1 not judged, 1 inconclusive, 1 not run;"));
  EXPECT_THAT(text, Not(HasSubstr("by time-out")));
  EXPECT_THAT(text, ContainsRegex("  weaken-order +1 +0 +0 +0 +0 +0 +0 +0 +-\n"));
}

TEST(ReportTable, KillsThatTheHostsSpeedMayDecideAreCounted) {
  ReportSample sample = report_sample();
  sample.report.results[2].headline = kTimeOut;
  EXPECT_THAT(table_of(sample), HasSubstr("Of the killed: 1 by time-out"));
}

TEST(ReportTable, ASurvivorHasItsPlaceChangeAndWhatWasSeen) {
  std::string text = table_of(report_sample());
  EXPECT_THAT(text,
              HasSubstr("  kernel-src/boot/a.cpp:2  drop-check #1\n"
                        "      if (n < 3) return -1; -> (nothing)  (10 visits, 4 different)\n"));
  EXPECT_THAT(text, HasSubstr("Survivors, never different (1)\n"));
  EXPECT_THAT(text, Not(HasSubstr("more;")));
}

TEST(ReportTable, SaysHowManySurvivorsItDoesNotShow) {
  std::string text = table_of(report_sample(), 1);
  EXPECT_THAT(text, HasSubstr("Survivors, not noticed (1)"));
  EXPECT_THAT(text, Not(HasSubstr("Survivors, never different")));
  EXPECT_THAT(text, HasSubstr("and 2 more; the HTML page has all of them\n"));
}

TEST(ReportTable, CatalogueAndHarness) {
  std::string text = table_of(report_sample());
  EXPECT_THAT(text, ContainsRegex("  b01-short +B1 +boot/fdt +120 +100  too late\n"));
  EXPECT_THAT(text, ContainsRegex("  rule address +all +2 +1\n"));
  EXPECT_THAT(text, ContainsRegex("  strategy pct +boot/fdt +2 +0  redundant: no kill is lost\n"));
}

TEST(ReportTable, NothingOfTheProgramReachesTheTerminalRaw) {
  ReportSample sample = report_sample();
  sample.mutants[1].original = "\x1b[2J\n";
  std::string text = table_of(sample);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("\\x1b[2J\\n -> (nothing)"));
}

TEST(ReportTable, AnEmptyRunIsOneLine) {
  std::string text = table_of({});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

} // namespace
} // namespace kiln::gates
