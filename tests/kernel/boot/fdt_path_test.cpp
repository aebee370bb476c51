// Paths, aliases, and addresses as a CPU sees them.

#include <gtest/gtest.h>

#include "kernel-src/boot/fdt_path.h"
#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

constexpr uint32_t kNowhere = UINT32_MAX;

/// /outer/inner/unit@10, where `outer` is mapped to 0x40000000 and `inner` to 0x1000 in it.
std::vector<uint8_t> two_buses(uint32_t unit = 0x10, bool inner_has_ranges = true) {
  Builder builder;
  builder.open("");
  builder.lay_down({1, 1});
  builder.open("aliases");
  builder.string("u", "/outer/inner/unit@10");
  builder.string("bus", "/outer/inner");
  builder.string("circle", "circle");
  builder.string("", "/outer/inner/unit@10");
  builder.cells("open", {0x2F6F7574}); // "/out"
  builder.close();
  builder.open("outer");
  builder.lay_down({1, 1});
  builder.cells("ranges", {0x8000, 0x70000000, 0x100, 0, 0x40000000, 0x2000});
  builder.open("inner");
  builder.lay_down({1, 1});
  if (inner_has_ranges) {
    builder.cells("ranges", {0, 0x1000, 0x100, 0x200, 0x8000, 0x100, 0x400, 0x9000, 0x100});
  }
  builder.open("unit@10");
  builder.reg({{unit, 4}});
  builder.close();
  builder.close();
  builder.close();
  builder.close();
  return blob_of(builder);
}

Result<fdt::Range> registers(const std::vector<uint8_t>& blob, StringView path) {
  const fdt::Path found = CLAY_TRY(fdt::Path::find(tree_of(blob), path));
  return found.reg(0);
}

bool finds(StringView path) {
  const std::vector<uint8_t> blob = two_buses();
  return fdt::Path::find(tree_of(blob), path).ok();
}

TEST(FdtPath, AnAliasWithoutANameOrAnEndLeadsNowhere) {
  const std::vector<uint8_t> blob = two_buses();
  for (const char* path : {"", "open", "open/inner", "nobody"}) {
    EXPECT_TRUE(fdt::Path::find(tree_of(blob), path).failed_with(Error::kNotFound)) << path;
  }
}

TEST(FdtPath, FollowsPathsAndAliases) {
  EXPECT_TRUE(finds("/"));
  EXPECT_TRUE(finds("/outer/inner/unit@10"));
  EXPECT_TRUE(finds("//outer//inner/unit/"));
  EXPECT_TRUE(finds("u"));
  EXPECT_TRUE(finds("bus/unit"));
  EXPECT_FALSE(finds("/outer/unit"));
  EXPECT_FALSE(finds("/outer/inner/unit@1"));
  EXPECT_FALSE(finds("/outer/inner/unit@10/more"));
  EXPECT_FALSE(finds("nobody"));
  EXPECT_FALSE(finds("circle"));
  EXPECT_FALSE(finds(""));
  EXPECT_FALSE(fdt::Path::find(tree_of(small_blob()), "u").ok());
}

uint64_t seen_at(uint32_t unit) {
  const Result<fdt::Range> range = registers(two_buses(unit), "u");
  return range.ok() ? range.value().base : kNowhere;
}

TEST(FdtPath, TranslatesThroughEveryBus) {
  EXPECT_EQ(seen_at(0x10), 0x40001010u);
  EXPECT_EQ(seen_at(0xFF), 0x400010FFu);
  EXPECT_EQ(seen_at(0x100), kNowhere);
  EXPECT_EQ(seen_at(0x1FF), kNowhere);
  EXPECT_EQ(seen_at(0x210), 0x70000010u);
  EXPECT_EQ(seen_at(0x400), kNowhere); // outer does not map it
}

TEST(FdtPath, AddressesOfABusWithoutRangesReachNobody) {
  EXPECT_TRUE(registers(two_buses(0x10, false), "u").failed_with(Error::kNotFound));
}

TEST(FdtPath, NodesWithoutRegHaveNoRegisters) {
  EXPECT_TRUE(registers(two_buses(), "/outer").failed_with(Error::kNotFound));
  EXPECT_TRUE(registers(two_buses(), "/").failed_with(Error::kNotFound));
}

Result<fdt::Range> behind(std::initializer_list<uint32_t> ranges, Range unit) {
  Builder builder;
  builder.open("");
  builder.lay_down({2, 1});
  builder.open("bus");
  builder.lay_down({2, 2});
  builder.cells("ranges", ranges);
  builder.open("unit");
  builder.reg({unit});
  builder.close();
  builder.close();
  builder.close();
  return registers(blob_of(builder), "/bus/unit");
}

TEST(FdtPath, DoubtsRanges) {
  EXPECT_EQ(behind({}, {0x10, 1}).value().base, 0x10u);
  EXPECT_EQ(behind({0, 0, 1, 0, 0, 0x20}, {0x10, 1}).value().base, 0x1'0000'0010u);
  EXPECT_TRUE(behind({0, 0, 1, 0, 0}, {0x10, 1}).failed_with(Error::kInvalid));
  EXPECT_TRUE(behind({0, 0, 1, 0, 0, 0x10}, {0x10, 1}).failed_with(Error::kNotFound));
  const uint32_t kOnes = UINT32_MAX;
  EXPECT_TRUE(behind({0, 0, kOnes, kOnes, 0, 0x20}, {0x10, 1}).failed_with(Error::kUnsupported));
  EXPECT_TRUE(
      behind({0, 0, kOnes, 0xFFFFFFE0, 0, 0x20}, {0x10, 0x20}).failed_with(Error::kOverflow));
  EXPECT_TRUE(behind({0, 0, kOnes, 0xFFFFFFE0, 0, 0x20}, {0x10, 0x10}).ok());
}

} // namespace
} // namespace clay::test
