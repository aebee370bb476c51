#include <gtest/gtest.h>

#include "gates/mutation/report_sources.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

using Kind = SourceChange::Line::Kind;

TEST(ReportSources, ReadsFilesOfTheCheckoutAndNotesThoseThatItLacks) {
  SampleTree tree;
  ReportSources sources(tree.path());
  EXPECT_TRUE(sources.file(kSampleFile).found);
  EXPECT_EQ(sources.file(kSampleFile).lines.size(), 6U);
  EXPECT_TRUE(sources.missing().empty());
  EXPECT_FALSE(sources.file(kAbsentFile).found);
  EXPECT_EQ(sources.missing(), std::set<std::string>{kAbsentFile});
  ReportSources nowhere("");
  EXPECT_FALSE(nowhere.file(kSampleFile).found);
}

TEST(ReportSources, ColumnsAreUtf16) {
  SampleTree tree;
  ReportSources sources(tree.path());
  ReportSample sample = report_sample();
  // Six bytes are three units of UTF-16 before it.
  Extent extent = extent_of(sample.mutants[4], sources.file(kSampleFile));
  EXPECT_EQ(extent.begin.line, 4U);
  EXPECT_EQ(extent.begin.column, 19U);
  EXPECT_EQ(extent.end.column, 20U);
  Extent plain = extent_of(sample.mutants[0], sources.file(kSampleFile));
  EXPECT_EQ(plain.begin.column, 7U);
  EXPECT_EQ(plain.end.column, 12U);
}

TEST(ReportSources, TheEndOfAPlaceThatWasNotMadeIsThatOfItsText) {
  SampleTree tree;
  ReportSources sources(tree.path());
  sim::UnmadeMutant place{2, 7, kSampleFile, "boundary", "n < 3", ""};
  EXPECT_EQ(extent_of(place, sources.file(kSampleFile)).end.column, 12U);
  place.original = "elsewhere";
  EXPECT_EQ(extent_of(place, sources.file(kSampleFile)).end.column, 8U);
}

TEST(ReportChange, ShowsTheLineBeforeAndAfter) {
  SampleTree tree;
  ReportSources sources(tree.path());
  SourceChange change = change_of(report_sample().mutants[0], sources.file(kSampleFile));
  ASSERT_EQ(change.lines.size(), 5U);
  EXPECT_EQ(change.lines[0].kind, Kind::kSame);
  EXPECT_EQ(change.lines[1].kind, Kind::kRemoved);
  EXPECT_EQ(change.lines[1].before, "  if (");
  EXPECT_EQ(change.lines[1].changed, "n < 3");
  EXPECT_EQ(change.lines[2].kind, Kind::kAdded);
  EXPECT_EQ(change.lines[2].changed, "n <= 3");
  EXPECT_EQ(change.lines[2].after, ") return -1;");
  EXPECT_EQ(change.lines[4].number, 4U);
}

TEST(ReportChange, ADroppedLineHasNoLineAfter) {
  SampleTree tree;
  ReportSources sources(tree.path());
  for (const auto& line : change_of(report_sample().mutants[2], sources.file(kSampleFile)).lines)
    EXPECT_NE(line.kind, Kind::kAdded);
}

TEST(ReportChange, SpansLinesWhateverTheirWhiteSpace) {
  SampleTree tree;
  ReportSources sources(tree.path());
  sim::Mutant mutant = report_sample().mutants[1];
  mutant.end_line = 3;
  mutant.end_column = 11;
  mutant.original = "if (n < 3) return -1; stop(n);";
  SourceChange change = change_of(mutant, sources.file(kSampleFile));
  ASSERT_EQ(change.lines.size(), 5U);
  EXPECT_EQ(change.lines[1].changed, "if (n < 3) return -1;");
  EXPECT_EQ(change.lines[2].changed, "  stop(n);");
}

TEST(ReportChange, IsNotShownWhereTheSourceHasMovedOn) {
  SampleTree tree;
  ReportSources sources(tree.path());
  sim::Mutant mutant = report_sample().mutants[0];
  mutant.original = "n > 3";
  EXPECT_TRUE(change_of(mutant, sources.file(kSampleFile)).lines.empty());
  mutant = report_sample().mutants[0];
  mutant.line = mutant.end_line = 70;
  EXPECT_TRUE(change_of(mutant, sources.file(kSampleFile)).lines.empty());
  EXPECT_TRUE(change_of(mutant, sources.file(kAbsentFile)).lines.empty());
}

TEST(ReportChange, TheMiddleOfALongChangeIsLeftOut) {
  ReportSources::File file;
  file.lines.assign(40, "x;");
  std::string text;
  for (int n = 0; n < 30; ++n)
    text += "x; ";
  sim::Mutant mutant = report_sample().mutants[0];
  mutant.line = 5;
  mutant.end_line = 34;
  mutant.column = 1;
  mutant.end_column = 3;
  mutant.original = text.c_str();
  size_t removed = 0, gaps = 0;
  for (const auto& line : change_of(mutant, file).lines) {
    removed += line.kind == Kind::kRemoved;
    gaps += line.kind == Kind::kLeftOut;
  }
  EXPECT_EQ(removed, 12U);
  EXPECT_EQ(gaps, 1U);
}

} // namespace
} // namespace kiln::gates
