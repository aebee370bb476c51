#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "gates/support/read_file.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

class ReadFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "kiln-read-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string refusal(const std::string& path) {
    std::string error;
    EXPECT_FALSE(read_file(path, 100'000, "a tape", &error).has_value());
    return error;
  }
  fs::path folder_;
};

TEST_F(ReadFile, GivesItWhole) {
  for (size_t size : {size_t{0}, size_t{1}, size_t{65'536}, size_t{100'000}}) {
    std::string content(size, 'x');
    std::ofstream(folder_ / "x") << content;
    std::string error;
    EXPECT_EQ(read_file(folder_ / "x", 100'000, "a tape", &error), content) << error;
  }
  std::ofstream(folder_ / "x") << std::string(100'001, 'x');
  EXPECT_NE(refusal(folder_ / "x").find("is too large for a tape"), std::string::npos);
}

TEST_F(ReadFile, DoesNotWaitAtAPipe) {
  std::string path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(refusal(path).find("is a pipe"), std::string::npos);
}

TEST_F(ReadFile, SaysWhyNot) {
  EXPECT_NE(refusal(folder_).find("directory"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "none").find("No such file"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero").find("too large"), std::string::npos);
}

} // namespace
} // namespace kiln::gates
