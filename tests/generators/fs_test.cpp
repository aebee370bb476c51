#include <gtest/gtest.h>
#include <set>
#include <string>

#include "generators/fs.h"

namespace kiln::gen {
namespace {

TEST(FsPrograms, EveryNumberIsAnotherProgram) {
  const auto alphabet = fs_small_alphabet(1024);
  const auto few = std::span(alphabet).first(5);
  ASSERT_EQ(fs_programs(few.size(), 3), 5u + 25u + 125u);
  std::set<std::string> seen;
  for (uint64_t number = 0; number < fs_programs(few.size(), 3); ++number) {
    const FsProgram program = fs_program_of_number(few, number);
    EXPECT_EQ(program.size(), number < 5 ? 1u : number < 30 ? 2u : 3u);
    seen.insert(fs_text(program));
  }
  EXPECT_EQ(seen.size(), fs_programs(few.size(), 3));
}

TEST(FsPrograms, TheSmallAlphabetHasNoTwoOfAKind) {
  std::set<std::string> seen;
  for (const FsOperation& operation : fs_small_alphabet(1024)) {
    seen.insert(fs_text(operation));
  }
  EXPECT_EQ(seen.size(), fs_small_alphabet(1024).size());
}

TEST(FsPrograms, TheEmptyTapeHasNoOperation) {
  sim::Tape tape(std::span<const uint8_t>{});
  FsDrawer drawer(tape, {});
  EXPECT_TRUE(drawer.program(40).empty());
}

TEST(FsPrograms, AreSaidInWords) {
  FsOperation write;
  write.act = FsAct::kWrite;
  write.path = FsPath{}.child(0).child(1);
  write.offset = 1020;
  write.length = 8;
  write.fill = 3;
  EXPECT_EQ(fs_text(write), "write /a/b at 1020, 8 bytes of fill 3");
  FsOperation rename;
  rename.act = FsAct::kRename;
  rename.path = FsPath{}.child(15);
  rename.to.at = 2;
  rename.to = rename.to.child(kFsDotDot).child(0);
  EXPECT_EQ(fs_text(rename), "rename /a*255 to handle 2: ../a");
}

TEST(FsPaths, AreWrittenAsAKernelTakesThem) {
  FsPath path = FsPath{}.child(0).child(kFsDot).child(1);
  EXPECT_EQ(fs_path_bytes(path), "/a/./b");
  path.extra_slashes = 2;
  path.slash_behind = true;
  EXPECT_EQ(fs_path_bytes(path), "///a/./b/");
  path.relative = true;
  EXPECT_EQ(fs_path_bytes(path), "a/.///b/");
  EXPECT_EQ(fs_path_bytes(FsPath{}), "/");
  for (FsName name = 0; name < kFsPlainNames; ++name) {
    EXPECT_EQ(fs_name_of(fs_name(name)), name);
  }
  EXPECT_EQ(fs_name_of("nobody"), kFsPlainNames);
}

TEST(FsFill, IsTheSameFromAnyPlaceAndNeverZero) {
  for (uint64_t place : {uint64_t{0}, uint64_t{3}, uint64_t{1021}, UINT64_MAX - 40}) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{30}}) {
      std::vector<uint8_t> bytes(size);
      fs_fill(9, place, bytes);
      for (size_t i = 0; i < size; ++i) {
        EXPECT_EQ(bytes[i], fs_byte(9, place + i));
        EXPECT_NE(bytes[i], 0);
      }
    }
  }
}

} // namespace
} // namespace kiln::gen
