// Every node once, in order, and phandles.

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernel-src/boot/fdt_walk.h"
#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

std::string host(StringView text) { return {text.data(), text.size()}; }

/// / { a { b { c } d } e }, each with its number as phandle.
std::vector<uint8_t> five() {
  Builder builder;
  builder.open("");
  builder.open("a");
  builder.u32("phandle", 1);
  builder.lay_down({1, 0});
  builder.open("b");
  builder.u32("phandle", 2);
  builder.open("c");
  builder.u32("phandle", 3);
  builder.text("compatible", "x\0y");
  builder.text("compatible", "second");
  builder.close();
  builder.close();
  builder.open("d");
  builder.u32("phandle", 3);
  builder.reg({{7, 0}});
  builder.close();
  builder.close();
  builder.open("e");
  builder.text("status", "disabled");
  builder.text("device_type", "memory");
  builder.close();
  builder.close();
  return blob_of(builder);
}

TEST(FdtWalk, VisitsEveryNodeWithTheWayToIt) {
  const std::vector<uint8_t> blob = five();
  fdt::Walk walk(tree_of(blob));
  std::string seen;
  while (walk.next()) {
    seen += host(walk.path().node().name()) + std::to_string(walk.depth());
    if (walk.depth() == 2) {
      EXPECT_EQ(host(walk.path().at(1).name()), "a");
      EXPECT_EQ(walk.path().node().parent_cells().address, 1u);
    }
  }
  EXPECT_EQ(seen, "0a1b2c3d2e1");
  EXPECT_FALSE(walk.next());
}

TEST(FdtWalk, LeavesOutWhatIsInside) {
  const std::vector<uint8_t> blob = five();
  for (const auto& [at, expected] :
       {std::pair("a", "ae"), {"b", "abde"}, {"c", "abcde"}, {"e", "abcde"}, {"", ""}}) {
    fdt::Walk walk(tree_of(blob));
    std::string seen;
    while (walk.next()) {
      const std::string name = host(walk.path().node().name());
      seen += name;
      if (name == at) {
        walk.skip_inside();
      }
    }
    EXPECT_EQ(seen, expected) << at;
  }
}

TEST(FdtWalk, FindsThePropertiesByWhichNodesAreKnown) {
  const std::vector<uint8_t> blob = five();
  fdt::Walk walk(tree_of(blob));
  while (walk.next()) {
    const std::string name = host(walk.path().node().name());
    EXPECT_EQ(walk.compatible().lists("y"), name == "c");
    EXPECT_FALSE(walk.compatible().lists("second"));
    EXPECT_EQ(walk.status().exists(), name == "e");
    EXPECT_EQ(walk.device_type().exists(), name == "e");
    EXPECT_EQ(walk.phandle().exists(), !name.empty() && name != "e");
  }
}

TEST(FdtWalk, FindsTheFirstNodeWithAPhandle) {
  const std::vector<uint8_t> blob = five();
  const fdt::Tree tree = tree_of(blob);
  EXPECT_EQ(host(fdt::find_phandle(tree, 2).value().name()), "b");
  EXPECT_EQ(host(fdt::find_phandle(tree, 3).value().name()), "c");
  EXPECT_TRUE(fdt::find_phandle(tree, 4).failed_with(Error::kNoDevice));
  EXPECT_TRUE(fdt::find_phandle(tree, 0).failed_with(Error::kInvalid));
  EXPECT_TRUE(fdt::find_phandle(tree, UINT32_MAX).failed_with(Error::kInvalid));
}

} // namespace
} // namespace clay::test
