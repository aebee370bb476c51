// The second reader's interrupt tree, on trees of a few nodes.

#include <gtest/gtest.h>

#include "generators/fdt/builder.h"
#include "generators/fdt/draft.h"
#include "worlds/firmware/fdt_interrupts.h"

namespace kiln::worlds::fdt {
namespace {

using gen::fdt::Builder;
using Fate = Arrival::Fate;

constexpr uint32_t kPic = 7;
constexpr uint32_t kNexus = 8;
constexpr size_t kUnit = 2; ///< index of /bus/unit

/// A controller of one cell, and /bus/unit at 0x20 with interrupt 3; the bus maps it by `map`.
std::vector<uint8_t> board(std::initializer_list<uint32_t> map,
                           std::initializer_list<uint32_t> mask) {
  Builder builder;
  builder.open("");
  builder.u32("interrupt-parent", kPic);
  builder.open("bus");
  builder.lay_down({1, 1});
  if (map.size() != 0) {
    builder.u32("phandle", kNexus);
    builder.u32("#interrupt-cells", 1);
    builder.cells("interrupt-map", map);
    builder.cells("interrupt-map-mask", mask);
  }
  builder.open("unit");
  builder.reg({{0x20, 1}});
  builder.cells("interrupts", {3});
  builder.close();
  builder.close();
  builder.open("pic");
  builder.u32("phandle", kPic);
  builder.u32("#interrupt-cells", 1);
  builder.flag("interrupt-controller");
  builder.close();
  builder.close();
  return gen::fdt::blob_of(gen::fdt::draft_of(builder.take(), false, 0, false), gen::fdt::Layout{});
}

struct Found {
  Fate fate;
  uint32_t number;
  unsigned maps;
};

Found find(std::initializer_list<uint32_t> map, std::initializer_list<uint32_t> mask) {
  const std::vector<uint8_t> blob = board(map, mask);
  const Tree tree = read_tree(blob, 32);
  const Buses buses(tree);
  const Arrival arrival = Interrupts(tree, buses, 8).of(kUnit, 0);
  const bool arrives = arrival.fate == Fate::kArrives;
  return {arrival.fate, arrives ? static_cast<uint32_t>(number_in(arrival.specifier)) : 0,
          arrival.maps};
}

TEST(FdtInterrupts, InheritedParent) {
  EXPECT_EQ(find({}, {}).fate, Fate::kArrives);
  EXPECT_EQ(find({}, {}).number, 3u);
  EXPECT_EQ(find({}, {}).maps, 0u);
}

TEST(FdtInterrupts, Maps) {
  EXPECT_EQ(find({0x20, 3, kPic, 44}, {0xFFFFFFFF, 7}).number, 44u);
  EXPECT_EQ(find({0x20, 3, kPic, 44}, {0xFFFFFFFF, 7}).maps, 1u);
  EXPECT_EQ(find({0x10, 3, kPic, 43, 0, 11, kPic, 44}, {0xF, 7}).number, 43u);
  EXPECT_EQ(find({0x10, 3, kPic, 43}, {0xFF, 7}).fate, Fate::kLost);
  EXPECT_EQ(find({0x20, 3, kPic}, {0xFF, 7}).fate, Fate::kShape);
  EXPECT_EQ(find({0x20, 3, kPic, 44}, {7}).fate, Fate::kShape);
  EXPECT_EQ(find({0x20, 3, 99, 44}, {0xFF, 7}).fate, Fate::kParent);
  EXPECT_EQ(find({0, 0, kNexus, 0, 3}, {0, 0}).fate, Fate::kLost);
}

} // namespace
} // namespace kiln::worlds::fdt
