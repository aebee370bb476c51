#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "gates/run/judge.h"

namespace kiln::gates {
namespace {

class JudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/judge-" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& contents) const {
    std::ofstream(folder_ + "/" + name) << contents;
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(JudgeTest, SaysWhatTheProgramSaysAndItsExitCode) {
  EXPECT_EQ(judge_words("cat", file("a", "one\ntwo\n")), "cat says (exit code 0):\n  one\n  two\n");
  EXPECT_EQ(judge_words("grep -c x", file("b", "one\n")), "grep -c x says (exit code 1):\n  0\n");
}

TEST_F(JudgeTest, WhatItSaysCannotReachTheTerminal) {
  EXPECT_EQ(judge_words("cat", file("a", "\x1b[31m\r\xff\n")),
            "cat says (exit code 0):\n  \\x1b[31m\\x0d\\xff\n");
}

TEST_F(JudgeTest, StandardErrorCounts) {
  const std::string words = judge_words("cat", folder_ + "/nowhere");
  EXPECT_TRUE(words.find("No such file") != std::string::npos) << words;
  EXPECT_TRUE(words.starts_with("cat says (exit code 1):\n")) << words;
}

TEST_F(JudgeTest, ANameThatBeginsWithADashIsNoOption) {
  const std::string before = std::filesystem::current_path();
  file("-n", "one\n");
  std::filesystem::current_path(folder_);
  EXPECT_EQ(judge_words("cat", "-n"), "cat says (exit code 0):\n  one\n");
  std::filesystem::current_path(before);
}

TEST_F(JudgeTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(judge_words("no-such-judge -x", "a"),
            "no-such-judge is missing, which would judge this file.\n");
}

} // namespace
} // namespace kiln::gates
