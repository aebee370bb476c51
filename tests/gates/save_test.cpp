#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#include "gates/desk/save.h"
#include "gates/support/atomic_file.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

class Save : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "kiln-save-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  size_t files() { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }
  fs::path folder_;
};

TEST_F(Save, WritesTapeBundleAndReportAndMakesTheFolder) {
  const uint8_t tape[] = {0, 0xFF};
  std::string folder = folder_ / "out" / "findings";
  SavedFiles saved = save_finding(folder, "a-1", tape, "{}", "words");
  EXPECT_EQ(saved.trouble, "");
  EXPECT_TRUE(saved.tape_saved);
  EXPECT_EQ(saved.files.size(), 3U);
  EXPECT_EQ(read(folder + "/a-1.hex"), "00ff\n");
  EXPECT_EQ(read(folder + "/a-1.json"), "{}");
  EXPECT_EQ(read(folder + "/a-1.txt"), "words");
}

TEST_F(Save, WhatATargetShowsLiesBesideAndTakesNoOtherFilesPlace) {
  const std::vector<sim::ExhibitedFile> shown = {{"img", {7}}, {"../2.img", {}}, {"hex", {}}};
  const SavedFiles saved = save_finding(folder_, "a-1", {}, "{}", "words", shown);
  EXPECT_EQ(saved.trouble, "");
  EXPECT_EQ(saved.files.size(), 6U);
  EXPECT_EQ(read(folder_ / "a-1.img"), "\7");
  EXPECT_TRUE(fs::exists(folder_ / "a-1.2.img"));
  EXPECT_TRUE(fs::exists(folder_ / "a-1.shown.hex"));
}

TEST_F(Save, AFileInTheWayIsOneSentenceAndTheTapeIsPrinted) {
  std::ofstream(folder_ / "out") << "in the way";
  const uint8_t tape[] = {0xAB};
  SavedFiles saved = save_finding(folder_ / "out" / "findings", "a-1", tape, "{}", "words");
  EXPECT_FALSE(saved.tape_saved);
  EXPECT_TRUE(saved.files.empty());
  EXPECT_NE(saved.trouble.find("cannot make the folder"), std::string::npos) << saved.trouble;
  EXPECT_EQ(saved.trouble.find('\n'), std::string::npos);
  std::string text = lost_tape_text(saved.trouble, "net/dhcp", tape);
  EXPECT_NE(text.find("ab\n"), std::string::npos);
  EXPECT_NE(text.find("net/dhcp"), std::string::npos);
}

TEST_F(Save, AFullDiskSaysSoAndKeepsWhatWasThere) {
  std::string path = folder_ / "x";
  std::string error;
  ASSERT_TRUE(write_file_atomically(path, "old", &error)) << error;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit tiny{8, before.rlim_max};
  auto* handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tiny);
  bool written = write_file_atomically(path, "much more than eight bytes", &error);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_FALSE(written);
  EXPECT_NE(error.find(path), std::string::npos) << error;
  EXPECT_EQ(read(path), "old");
  EXPECT_EQ(files(), 1U);

  EXPECT_FALSE(write_file_atomically("/dev/full", "x", &error));
  EXPECT_NE(error.find("No space left"), std::string::npos) << error;
  EXPECT_NE(error.find("free some space"), std::string::npos) << error;
}

TEST_F(Save, AFolderThatIsReadOnlySaysHowToMendIt) {
  // /proc refuses new files even to root.
  std::string error;
  EXPECT_FALSE(write_file_atomically("/proc/kiln-no/x", "x", &error));
  EXPECT_NE(error.find("cannot make the folder '/proc/kiln-no'"), std::string::npos) << error;
  if (geteuid() == 0) return;
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_FALSE(write_file_atomically(folder_ / "x", "x", &error));
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_NE(error.find("make the folder writable"), std::string::npos) << error;
}

TEST_F(Save, ADeviceIsWrittenToAndNotReplaced) {
  std::string error;
  EXPECT_TRUE(write_file_atomically("/dev/null", "x", &error)) << error;
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

} // namespace
} // namespace kiln::gates
