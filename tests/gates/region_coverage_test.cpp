#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gates/report/region_coverage.h"

namespace kiln::gates {
namespace {

using testing::HasSubstr;

// Regions are [line, column, end line, end column, count, file, expanded file, kind].
std::string exported(const std::string& functions) {
  return fmt::format(R"({{"data": [{{"files": [{{"filename": "/top/kernel-src/a.cpp"}}],
                         "functions": [{}]}}]}})",
                     functions);
}

std::string function(const char* name, const char* files, const std::string& regions) {
  return fmt::format(R"({{"name": "{}", "filenames": [{}], "regions": [{}]}})", name, files,
                     regions);
}

const char* const kPlain = R"("/top/kernel-src/a.cpp")";

std::vector<FileCoverage> read(const std::string& functions) {
  std::string error;
  std::vector<FileCoverage> files = read_region_coverage(exported(functions), "/top", &error);
  EXPECT_EQ(error, "");
  return files;
}

TEST(RegionCoverage, CountsWhatRanAndNamesWhatDidNot) {
  const auto files = read(function("_ZN4clay1fEv", kPlain, "[1,2,3,4,5,0,0,0], [2,7,2,9,0,0,0,0]"));
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].file, "kernel-src/a.cpp");
  EXPECT_EQ(files[0].regions, 2U);
  EXPECT_EQ(files[0].ran, 1U);
  ASSERT_EQ(files[0].uncovered.size(), 1U);
  EXPECT_EQ(files[0].uncovered[0].line, 2U);
  EXPECT_EQ(files[0].uncovered[0].column, 7U);
  EXPECT_DOUBLE_EQ(files[0].percent(), 50.0);
  EXPECT_THAT(describe_region_coverage(files, "/top"), HasSubstr("- 2:7, clay::f"));
}

TEST(RegionCoverage, ARegionRanWhenOneOfItsFunctionsRanIt) {
  const auto files = read(function("f", kPlain, "[1,2,3,4,0,0,0,0]") + "," +
                          function("g", kPlain, "[1,2,3,4,9,0,0,0]"));
  EXPECT_EQ(files[0].regions, 1U);
  EXPECT_EQ(files[0].ran, 1U);
}

TEST(RegionCoverage, GapsAndSkippedRegionsAreNoCode) {
  const auto files =
      read(function("f", kPlain, "[1,2,3,4,1,0,0,0], [1,3,1,4,0,0,0,3], [2,3,2,4,0,0,0,2]"));
  EXPECT_EQ(files[0].regions, 1U);
}

TEST(RegionCoverage, AMacroCountsWhereItIsUsed) {
  const auto files =
      read(function("f", R"("/top/kernel-src/a.cpp", "/top/kernel-src/lib/result.h")",
                    "[1,1,9,1,1,0,0,0], [4,3,4,9,1,0,1,1], [4,6,4,7,1,0,1,1], "
                    "[100,1,102,1,0,1,0,0]"));
  ASSERT_EQ(files[0].uncovered.size(), 1U);
  EXPECT_EQ(files[0].uncovered[0].line, 4U);
  EXPECT_TRUE(files[0].uncovered[0].in_macro);
}

TEST(RegionCoverage, AssertionsAreLeftOut) {
  const auto files =
      read(function("f", R"("/top/kernel-src/a.cpp", "/top/kernel-src/lib/assert.h")",
                    "[1,1,9,1,1,0,0,0], [4,3,4,9,1,0,1,1], [12,1,13,1,0,1,0,0]"));
  EXPECT_EQ(files[0].regions, 1U);
  EXPECT_EQ(files[0].left_out, 1U);
  EXPECT_TRUE(files[0].uncovered.empty());
  EXPECT_THAT(describe_region_coverage(files, "/top"), HasSubstr("Everything ran."));
}

TEST(RegionCoverage, OtherFilesDoNotCount) {
  const auto files = read(function("f", R"("/top/sim/b.cpp")", "[1,2,3,4,0,0,0,0]"));
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].regions, 0U);
  EXPECT_DOUBLE_EQ(files[0].percent(), 100.0);
}

TEST(RegionCoverage, SomethingElseIsRefused) {
  for (const char* text : {"", "{", R"({"data": []})", R"({"data": [{"files": 1}]})"}) {
    std::string error;
    EXPECT_TRUE(read_region_coverage(text, "/top", &error).empty()) << text;
    EXPECT_THAT(error, HasSubstr("llvm-cov")) << text;
  }
}

} // namespace
} // namespace kiln::gates
