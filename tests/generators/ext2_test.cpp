#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "generators/ext2.h"
#include "worlds/ext2/check.h"
#include "worlds/ext2/reader.h"
#include "worlds/ext2/views.h"

namespace kiln {
namespace {

using gen::ext2::Lie;
using gen::ext2::Made;
using gen::ext2::Meant;
using worlds::ext2::Checker;
using worlds::ext2::InodeFacts;
using worlds::ext2::Reader;
using worlds::ext2::Verdict;
using worlds::ext2::view_of;

sim::Tape tape_of(uint64_t iteration) {
  return sim::Tape(sim::SeededInput{"test/ext2", 1, iteration, 4096});
}

TEST(Ext2Maker, EmptyTapeIsAnEmptyFilesystem) {
  sim::Tape tape({});
  const Made made = gen::ext2::draw_image(tape.data());
  const Verdict verdict = worlds::ext2::check(view_of(made.image));
  EXPECT_EQ(verdict.words(), "sound");
  EXPECT_EQ(made.image.blocks(), 64U);
  EXPECT_EQ(verdict.counted().directories, 1U);
  EXPECT_EQ(verdict.counted().free_inodes, 6U);
}

void expect_contents(Reader& reader, const Made& made, const Meant::Node& node) {
  const std::optional<InodeFacts> inode = reader.inode(node.number);
  ASSERT_TRUE(inode.has_value());
  EXPECT_EQ(inode->bytes, node.bytes);
  EXPECT_EQ(inode->links, node.links);
  EXPECT_EQ(inode->permissions, node.mode & 0xFFF);
  if (!node.target.empty()) EXPECT_EQ(reader.symlink(*inode), node.target);
  std::map<uint64_t, uint64_t> seeds; // a piece that was made twice holds what came last
  for (const Meant::Piece& piece : made.meant.pieces) {
    if (piece.inode == node.number) seeds[piece.index] = piece.seed;
  }
  for (const auto& [index, seed] : seeds) {
    std::vector<uint8_t> want(made.shape.block_bytes);
    std::vector<uint8_t> got(made.shape.block_bytes);
    gen::ext2::fill_contents(seed, want);
    const std::optional<size_t> bytes = reader.read(*inode, index * made.shape.block_bytes, got);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_TRUE(
        std::equal(got.begin(), got.begin() + static_cast<ptrdiff_t>(*bytes), want.begin()));
    if (!seeds.contains(index + 1)) { // a hole, or the end
      ASSERT_TRUE(reader.read(*inode, (index + 1) * made.shape.block_bytes, got).has_value());
    }
  }
}

TEST(Ext2Maker, ReaderReadsWhatWasMeant) {
  Checker checker;
  for (uint64_t i = 0; i < 400; ++i) {
    sim::Tape tape = tape_of(i);
    const Made made = gen::ext2::draw_image(tape.data());
    ASSERT_EQ(checker.check(view_of(made.image)).words(), "sound") << i;
    Reader reader(view_of(made.image));
    for (const Meant::Node& node : made.meant.nodes)
      expect_contents(reader, made, node);
    const worlds::ext2::ReadTree tree = worlds::ext2::read_tree(reader);
    EXPECT_TRUE(tree.whole);
    std::multiset<std::pair<std::string, uint32_t>> read;
    std::multiset<std::pair<std::string, uint32_t>> meant;
    for (const auto& entry : tree.entries) {
      if (entry.path != "/") {
        read.emplace(entry.path.substr(entry.path.rfind('/') + 1), entry.inode.number);
      }
    }
    for (const Meant::Entry& entry : made.meant.entries)
      meant.emplace(entry.name, entry.inode);
    EXPECT_EQ(read, meant) << i;
  }
}

/// Lies that leave an image in order: a checker must not see them.
bool may_be_legal(Lie lie) {
  return lie == Lie::kGroupFlags || lie == Lie::kJournal || lie == Lie::kReservedBlocks;
}

TEST(Ext2Lies, EachIsToldAndNoticed) {
  Checker checker;
  std::map<Lie, std::pair<unsigned, unsigned>> told; // and noticed
  for (uint64_t i = 0; i < 40 * gen::ext2::kLies; ++i) {
    sim::Tape tape = tape_of(i);
    Made made = gen::ext2::draw_image(tape.data());
    const auto lie = static_cast<Lie>(i % gen::ext2::kLies);
    if (!gen::ext2::tell(made.image, lie, tape.fault())) continue;
    ++told[lie].first;
    if (!checker.check(view_of(made.image)).sound()) ++told[lie].second;
  }
  for (size_t i = 0; i < gen::ext2::kLies; ++i) {
    const auto lie = static_cast<Lie>(i);
    const auto [times, noticed] = told[lie];
    EXPECT_GE(times, 2U) << text_of(lie);
    if (lie == Lie::kNone) {
      EXPECT_EQ(noticed, 0U);
    } else if (!may_be_legal(lie)) {
      EXPECT_GE(noticed, 1U) << text_of(lie);
    }
  }
}

} // namespace
} // namespace kiln
