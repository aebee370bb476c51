#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "gates/mutation/report_files.h"
#include "gates/tape/hex.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(ReportFiles, WritesAllOfThem) {
  SampleTree tree;
  ReportSample sample = report_sample();
  std::string folder = tree.path() + "/out/mutation", error;
  ASSERT_TRUE(write_reports(sample.report, sample.table(), folder, &error)) << error;
  for (const char* name :
       {"mutation.json", "mutation.html", "survivors.sarif", "matrix.json", "matrix.md"})
    EXPECT_GT(fs::file_size(folder + "/" + name), 0U) << name;
}

TEST(ReportFiles, TapesOfKillsCanBeReplayed) {
  SampleTree tree;
  ReportSample sample = report_sample();
  std::string folder = tree.path() + "/out", error;
  ASSERT_TRUE(write_reports(sample.report, sample.table(), folder, &error)) << error;
  auto tape = read_tape_file(folder + "/tapes/mutant-0.hex", TapeFormat::kHex, &error);
  ASSERT_TRUE(tape.has_value()) << error;
  EXPECT_EQ(*tape, (std::vector<uint8_t>{0x00, 0xff}));
  EXPECT_FALSE(fs::exists(folder + "/tapes/mutant-1.hex"));
}

TEST(ReportFiles, TheSameRunLeavesTheSameFiles) {
  SampleTree tree;
  ReportSample sample = report_sample();
  std::string folder = tree.path() + "/out", error;
  ASSERT_TRUE(write_reports(sample.report, sample.table(), folder, &error)) << error;
  std::string first = contents(folder + "/mutation.html");
  ASSERT_TRUE(write_reports(sample.report, sample.table(), folder, &error)) << error;
  EXPECT_EQ(contents(folder + "/mutation.html"), first);
}

TEST(ReportFiles, AFolderThatCannotBeMadeIsOneSentence) {
  SampleTree tree;
  std::ofstream(tree.path() + "/file") << "x";
  std::string error;
  EXPECT_FALSE(write_reports({}, {}, tree.path() + "/file/out", &error));
  EXPECT_NE(error.find("/file/out"), std::string::npos) << error;
}

} // namespace
} // namespace kiln::gates
