// Nodes, properties, cells and ranges of a tree that was taken.

#include <gtest/gtest.h>

#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

TEST(FdtNode, ReadsNamesAndValues) {
  const std::vector<uint8_t> blob = small_blob();
  const fdt::Tree tree = tree_of(blob);
  const fdt::Node root = tree.root();
  EXPECT_TRUE(root.name().empty());
  EXPECT_TRUE(root.property("model").string().value() == "small");
  const fdt::Node child = root.child("child").take();
  EXPECT_EQ(child.property("number").u32().value(), 7u);
  EXPECT_EQ(child.property("number").number().value(), 7u);
  EXPECT_TRUE(child.property("model").u32().failed_with(Error::kNotFound));
  EXPECT_TRUE(root.property("model").u32().failed_with(Error::kInvalid));
  EXPECT_TRUE(root.child("nobody").failed_with(Error::kNotFound));
  // A name is not its beginning.
  EXPECT_FALSE(root.property("mode").exists());
  EXPECT_FALSE(root.property("modelx").exists());
}

TEST(FdtNode, FindsTheFirstOfAName) {
  Builder builder;
  builder.open("");
  builder.u32("twice", 1);
  builder.u32("twice", 2);
  builder.open("dev@1");
  builder.close();
  builder.open("dev");
  builder.u32("second", 1);
  builder.close();
  builder.open("dev@2");
  builder.close();
  builder.close();
  const std::vector<uint8_t> blob = blob_of(builder);
  const fdt::Node root = tree_of(blob).root();
  EXPECT_EQ(root.property("twice").u32().value(), 1u);
  EXPECT_TRUE(root.child("dev").value().name() == "dev@1");
  EXPECT_TRUE(root.child("dev@2").value().name() == "dev@2");
  EXPECT_TRUE(root.child("dev@").failed_with(Error::kNotFound));
  EXPECT_TRUE(root.child("de").failed_with(Error::kNotFound));
}

TEST(FdtNode, BoundsTexts) {
  const uint8_t kOpen[] = {'a', 'b'};
  Builder builder;
  builder.open("");
  builder.raw("open", kOpen);
  builder.flag("empty");
  builder.text("list", "one\0two");
  builder.close();
  const std::vector<uint8_t> blob = blob_of(builder);
  const fdt::Node root = tree_of(blob).root();
  EXPECT_TRUE(root.property("open").string().failed_with(Error::kInvalid));
  EXPECT_TRUE(root.property("empty").string().failed_with(Error::kInvalid));
  EXPECT_TRUE(root.property("absent").string().failed_with(Error::kNotFound));
  EXPECT_TRUE(root.property("list").string().value() == "one");
  EXPECT_TRUE(root.property("list").lists("two"));
  EXPECT_FALSE(root.property("list").lists("tw"));
  EXPECT_FALSE(root.property("open").lists("ab"));
  EXPECT_FALSE(root.property("absent").lists(""));
}

// The cells of a node come from its parent, whatever its siblings lay down for theirs.
TEST(FdtNode, TakesCellsFromTheParent) {
  Builder builder;
  builder.open("");
  builder.lay_down({2, 2});
  builder.open("bus");
  builder.lay_down({1, 0});
  builder.open("unit");
  builder.lay_down({3, 3});
  builder.reg({{0x77, 0}});
  builder.close();
  builder.close();
  builder.open("memory");
  builder.reg({{0x1'0000'0000, 0x2000}});
  builder.close();
  builder.close();
  const std::vector<uint8_t> blob = blob_of(builder);
  const fdt::Node root = tree_of(blob).root();
  const fdt::RegList memory = root.child("memory").value().reg().take();
  ASSERT_EQ(memory.count(), 1u);
  EXPECT_EQ(memory.at(0).value().base, 0x1'0000'0000u);
  EXPECT_EQ(memory.at(0).value().size, 0x2000u);
  const fdt::RegList unit = root.child("bus").value().child("unit").value().reg().take();
  ASSERT_EQ(unit.count(), 1u);
  EXPECT_EQ(unit.at(0).value().base, 0x77u);
  EXPECT_EQ(unit.at(0).value().size, 0u);
}

fdt::Cells cells_with(std::initializer_list<uint32_t> value) {
  Builder builder;
  builder.open("");
  builder.cells("#address-cells", value);
  builder.close();
  const std::vector<uint8_t> blob = blob_of(builder);
  return tree_of(blob).root().cells();
}

TEST(FdtNode, HasCellsByDefault) {
  const fdt::Cells cells = tree_of(small_blob()).root().parent_cells();
  EXPECT_EQ(cells.address, 2u);
  EXPECT_EQ(cells.size, 1u);
}

TEST(FdtNode, DoubtsCellCounts) {
  EXPECT_TRUE(cells_with({4}).valid);
  EXPECT_EQ(cells_with({4}).address, 4u);
  EXPECT_FALSE(cells_with({5}).valid);
  EXPECT_FALSE(cells_with({UINT32_MAX}).valid);
  EXPECT_FALSE(cells_with({}).valid);
  EXPECT_FALSE(cells_with({0, 1}).valid);
}

constexpr uint8_t kOnes[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                               0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0,    0,    0,    0,
                               0,    1,    0,    0,    0,    0,    0,    0,    0,    2};

TEST(FdtReg, ReadsNumbersOfUpToFourCells) {
  const Bytes bytes(kOnes);
  EXPECT_TRUE(fdt::read_cells(bytes, 0, 0) == 0);
  EXPECT_TRUE(fdt::read_cells(bytes, 0, 1) == 0xFFFFFFFF);
  EXPECT_TRUE(fdt::read_cells(bytes, 0, 2) == UINT64_MAX);
  EXPECT_TRUE(fdt::read_cells(bytes, 0, 4) == ~fdt::Wide{0});
  EXPECT_TRUE(fdt::read_cells(bytes, 16, 3) == 0x1'0000'0000);
  EXPECT_TRUE(fdt::read_cells(bytes, 28, 1) == 2);
  EXPECT_EQ(fdt::narrow(UINT64_MAX).value(), UINT64_MAX);
  EXPECT_TRUE(fdt::narrow(fdt::Wide{1} << 64).failed_with(Error::kUnsupported));
}

TEST(FdtReg, WantsWholeEntries) {
  const Bytes bytes(kOnes);
  EXPECT_EQ(fdt::RegList::create(bytes, {2, 2, true}).value().count(), 2u);
  EXPECT_EQ(fdt::RegList::create(Bytes(), {2, 2, true}).value().count(), 0u);
  EXPECT_TRUE(fdt::RegList::create(bytes, {2, 1, true}).failed_with(Error::kInvalid));
  EXPECT_TRUE(fdt::RegList::create(bytes, {0, 0, true}).failed_with(Error::kInvalid));
  EXPECT_TRUE(fdt::RegList::create(bytes, {0, 1, true}).failed_with(Error::kInvalid));
  EXPECT_TRUE(fdt::RegList::create(bytes, {2, 2, false}).failed_with(Error::kInvalid));
}

TEST(FdtReg, EndsWithTheLastByte) {
  EXPECT_TRUE(fdt::make_range(UINT64_MAX, 1).ok());
  EXPECT_TRUE(fdt::make_range(UINT64_MAX, 2).failed_with(Error::kOverflow));
  EXPECT_TRUE(fdt::make_range(1, UINT64_MAX).ok());
  EXPECT_TRUE(fdt::make_range(2, UINT64_MAX).failed_with(Error::kOverflow));
  EXPECT_TRUE(fdt::make_range(UINT64_MAX, 0).ok());
}

} // namespace
} // namespace clay::test
