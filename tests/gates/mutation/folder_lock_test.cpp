#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "gates/support/folder_lock.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

TEST(FolderLock, OneAtATime) {
  SampleTree tree;
  std::string folder = tree.path() + "/out/mutation", error;
  std::unique_ptr<FolderLock> first = FolderLock::take(folder, &error);
  ASSERT_NE(first, nullptr) << error;
  EXPECT_EQ(FolderLock::take(folder, &error), nullptr);
  EXPECT_NE(error.find("another run writes into"), std::string::npos) << error;
  first.reset();
  EXPECT_NE(FolderLock::take(folder, &error), nullptr);
}

TEST(FolderLock, AFileInTheWayIsOneSentence) {
  SampleTree tree;
  std::ofstream(tree.path() + "/out") << "in the way";
  std::string error;
  EXPECT_EQ(FolderLock::take(tree.path() + "/out", &error), nullptr);
  EXPECT_NE(error.find("--out DIR"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

} // namespace
} // namespace kiln::gates
