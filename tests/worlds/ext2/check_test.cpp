#include <gtest/gtest.h>
#include <set>

#include "generators/endian.h"
#include "generators/ext2.h"
#include "generators/ext2/survey.h"
#include "worlds/ext2/check.h"
#include "worlds/ext2/reader.h"
#include "worlds/ext2/views.h"

namespace kiln::worlds::ext2 {
namespace {

using gen::store_le;
using gen::ext2::Lie;
using gen::ext2::Made;
using gen::ext2::Maker;

sim::Tape tape_of(uint64_t iteration) {
  return sim::Tape(sim::SeededInput{"test/ext2-check", 1, iteration, 4096});
}

/// Two directories, a file with two names and an indirect block.
Made small_image() {
  Maker maker({});
  const uint32_t home = maker.directory(kRootInode, "home");
  const uint32_t file = maker.file(home, "file");
  maker.contents(file, 0, 1);
  maker.contents(file, 20, 2);
  maker.link(kRootInode, "other", file);
  maker.directory(home, "below");
  return maker.finish();
}

TEST(Ext2Check, SaysWhatAndWhere) {
  Made made = small_image();
  const gen::ext2::Survey there = gen::ext2::survey(made.image);
  const auto file = std::find_if(there.nodes.begin(), there.nodes.end(), [](const auto& node) {
    return (node.mode & gen::ext2::kModeKind) == gen::ext2::kModeFile;
  });
  store_le<uint16_t>(made.image.write(file->block) + file->at + gen::ext2::inode::kLinks, 3);
  const Verdict verdict = check(view_of(made.image));
  ASSERT_EQ(verdict.total(), 1U) << verdict.words();
  EXPECT_EQ(verdict.found()[0].problem, Problem::kLinksTooMany);
  EXPECT_EQ(verdict.found()[0].inode, file->number);
  EXPECT_EQ(verdict.found()[0].got, 3U);
  EXPECT_EQ(verdict.found()[0].want, 2U);
  EXPECT_TRUE(verdict.within_cut());
  EXPECT_FALSE(verdict.double_use());
}

TEST(Ext2Check, TellsLeaksFromDoubleUse) {
  Made made = small_image();
  sim::Tape tape = tape_of(0);
  ASSERT_TRUE(gen::ext2::tell(made.image, Lie::kBlockMarkedUsed, tape.data()));
  EXPECT_TRUE(check(view_of(made.image)).within_cut());
  ASSERT_TRUE(gen::ext2::tell(made.image, Lie::kSharedBlock, tape.data()));
  const Verdict verdict = check(view_of(made.image));
  EXPECT_FALSE(verdict.within_cut());
  EXPECT_TRUE(verdict.double_use()) << verdict.words();
}

TEST(Ext2Check, SaysWhatCannotBeRead) {
  const Made made = small_image();
  struct Source {
    std::vector<uint8_t> bytes;
    uint64_t bad;
  };
  Source source{made.image.bytes(), 0};
  const auto fetch = [](const void* from, uint64_t offset, size_t, uint8_t*) -> const uint8_t* {
    const auto& here = *static_cast<const Source*>(from);
    return offset / 1024 == here.bad ? nullptr : &here.bytes[static_cast<size_t>(offset)];
  };
  const ImageView view(source.bytes.size(), fetch, &source);
  EXPECT_TRUE(check(view).sound());
  source.bad = 1;
  EXPECT_TRUE(check(view).has(Problem::kNoSuperblock));
  for (source.bad = 2; source.bad < 8; ++source.bad) {
    EXPECT_TRUE(check(view).has(Problem::kUnreadable)) << source.bad;
  }
}

/// Kinds that need an image of another tool, a clock, or a file of more than 2 TiB.
bool is_rare(Problem problem) {
  return problem == Problem::kTimeInFuture || problem == Problem::kUnreadable ||
         problem == Problem::kSizeUncounted;
}

TEST(Ext2Check, EveryKindIsSeen) {
  Checker checker;
  std::set<Problem> seen;
  for (uint64_t i = 0; i < 100 * gen::ext2::kLies; ++i) {
    sim::Tape tape = tape_of(i);
    Made made = gen::ext2::draw_image(tape.data());
    gen::ext2::tell(made.image, static_cast<Lie>(i % gen::ext2::kLies), tape.fault());
    for (const Found& found : checker.check(view_of(made.image)).found())
      seen.insert(found.problem);
  }
  for (size_t i = 0; i < kProblems; ++i) {
    const auto problem = static_cast<Problem>(i);
    if (!is_rare(problem)) EXPECT_TRUE(seen.contains(problem)) << name_of(problem);
  }
}

TEST(Ext2Check, EndsWhateverItIsGiven) {
  Checker checker;
  for (uint64_t i = 0; i < 3000; ++i) {
    sim::Tape tape = tape_of(i);
    Made made = gen::ext2::draw_image(tape.data(), {.most_blocks = 256});
    // Many bytes of any block, so that one lie does not hide the next.
    for (unsigned j = 0; j < 40; ++j) {
      const auto block = static_cast<uint32_t>(tape.fault().below(16));
      made.image.write(block)[tape.fault().below(1024)] = tape.fault().u8();
    }
    checker.check(view_of(made.image));
    Reader reader(view_of(made.image));
    if (reader.usable()) read_tree(reader, 300);
  }
}

TEST(Ext2Check, ViewsOfAMediumAreThoseOfItsBytes) {
  for (uint64_t i = 0; i < 50; ++i) {
    sim::Tape tape = tape_of(i);
    const Made made = gen::ext2::draw_image(tape.data());
    const std::vector<uint8_t> bytes = made.image.bytes();
    for (const uint32_t sector : {512U, 1024U}) {
      Medium medium(bytes.size() / sector, sector);
      medium.preload(0, bytes);
      EXPECT_EQ(check(view_of(medium)).words(), "sound");
    }
    EXPECT_EQ(check(ImageView(bytes)).words(), "sound");
  }
}

} // namespace
} // namespace kiln::worlds::ext2
