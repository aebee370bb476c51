// Where interrupts go: parents, lists, maps, circles.

#include <gtest/gtest.h>

#include "kernel-src/boot/fdt_interrupt.h"
#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

constexpr uint32_t kPic = 7;
constexpr uint32_t kNexus = 8;

/// A controller of two cells, and /bus/unit at 0x20 with whatever `bus` and `unit` add.
template <typename Bus, typename Unit> std::vector<uint8_t> board(Bus bus, Unit unit) {
  Builder builder;
  builder.open("");
  builder.u32("interrupt-parent", kPic);
  builder.open("bus");
  builder.lay_down({1, 1});
  bus(builder);
  builder.open("unit");
  builder.reg({{0x20, 1}});
  unit(builder);
  builder.close();
  builder.close();
  builder.open("pic");
  builder.u32("phandle", kPic);
  builder.u32("#interrupt-cells", 2);
  builder.flag("interrupt-controller");
  builder.close();
  builder.close();
  return blob_of(builder);
}

/// The first cell of the specifier that arrives at the controller, or the error.
Result<uint32_t> arrives(const std::vector<uint8_t>& blob, size_t index = 0) {
  const fdt::Tree tree = tree_of(blob);
  fdt::InterruptTree interrupts(tree);
  const fdt::Path unit = fdt::Path::find(tree, "/bus/unit").take();
  const fdt::Interrupt found = CLAY_TRY(interrupts.of(unit, index));
  EXPECT_EQ(found.at.place, tree.root().child("pic").value().place());
  return static_cast<uint32_t>(fdt::read_cells(found.specifier, 0, 1));
}

void nothing(Builder&) {}
auto cells(kiln::gen::fdt::Name name, std::initializer_list<uint32_t> values) {
  return [name, values](Builder& builder) { builder.cells(name, values); };
}

TEST(FdtInterrupt, ParentIsInherited) {
  const std::vector<uint8_t> blob = board(nothing, cells("interrupts", {5, 1, 6, 1}));
  EXPECT_EQ(arrives(blob, 0).value(), 5u);
  EXPECT_EQ(arrives(blob, 1).value(), 6u);
  EXPECT_TRUE(arrives(blob, 2).failed_with(Error::kNotFound));
  EXPECT_TRUE(arrives(board(nothing, nothing)).failed_with(Error::kNotFound));
}

TEST(FdtInterrupt, ListFitsTheParentsCells) {
  EXPECT_TRUE(arrives(board(nothing, cells("interrupts", {5, 1, 6}))).failed_with(Error::kInvalid));
}

TEST(FdtInterrupt, NearestParentCounts) {
  const auto other = [](uint32_t parent) {
    return arrives(board(cells("interrupt-parent", {parent}), cells("interrupts", {5, 1})));
  };
  EXPECT_EQ(other(kPic).value(), 5u);
  EXPECT_TRUE(other(99).failed_with(Error::kNoDevice));
  EXPECT_TRUE(other(0).failed_with(Error::kNoDevice));
  EXPECT_TRUE(other(UINT32_MAX).failed_with(Error::kNoDevice));
}

TEST(FdtInterrupt, ExtendedGoesFirst) {
  const std::vector<uint8_t> blob = board(nothing, [](Builder& builder) {
    builder.cells("interrupts", {5, 1});
    builder.cells("interrupts-extended", {kPic, 8, 1, kPic, 9, 1});
  });
  EXPECT_EQ(arrives(blob, 0).value(), 8u);
  EXPECT_EQ(arrives(blob, 1).value(), 9u);
  EXPECT_TRUE(arrives(blob, 2).failed_with(Error::kNotFound));
  const auto extended = [](std::initializer_list<uint32_t> list) {
    return arrives(board(nothing, cells("interrupts-extended", list)));
  };
  EXPECT_TRUE(extended({kPic, 8}).failed_with(Error::kInvalid));
  EXPECT_TRUE(extended({99, 8, 1}).failed_with(Error::kNoDevice));
}

TEST(FdtInterrupt, MoreParentsThanAreRemembered) {
  static_assert(fdt::kKnownPhandles == 8);
  const auto others = [](Builder& builder) {
    for (uint32_t phandle = 20; phandle < 29; ++phandle) {
      builder.open("other");
      builder.u32("phandle", phandle);
      builder.u32("#interrupt-cells", 1);
      builder.flag("interrupt-controller");
      builder.close();
    }
  };
  const auto unit = [](Builder& builder) {
    builder.cells("interrupts-extended", {kPic, 5,  1, 20, 0, 21, 0, 22, 0, 23,   0, 24,
                                          0,    25, 0, 26, 0, 27, 0, 28, 0, kPic, 6, 1});
  };
  EXPECT_EQ(arrives(board(others, unit), 0).value(), 5u);
  EXPECT_EQ(arrives(board(others, unit), 10).value(), 6u);
}

/// The unit's interrupt 3 through the bus's map.
Result<uint32_t> mapped(std::initializer_list<uint32_t> map, std::initializer_list<uint32_t> mask) {
  return arrives(board(
      [&](Builder& builder) {
        builder.u32("phandle", kNexus);
        builder.u32("#interrupt-cells", 1);
        builder.cells("interrupt-map", map);
        if (mask.size() != 0) {
          builder.cells("interrupt-map-mask", mask);
        }
      },
      cells("interrupts", {3})));
}

TEST(FdtInterrupt, MapsByAddressAndPin) {
  EXPECT_EQ(mapped({0x20, 3, kPic, 44, 1}, {}).value(), 44u);
  EXPECT_EQ(mapped({0x30, 3, kPic, 43, 1, 0x20, 3, kPic, 44, 1}, {}).value(), 44u);
  EXPECT_EQ(mapped({0, 3, kPic, 44, 1}, {0, 7}).value(), 44u);
  EXPECT_EQ(mapped({0, 11, kPic, 44, 1}, {0, 7}).value(), 44u);
  EXPECT_TRUE(mapped({0x20, 4, kPic, 44, 1}, {}).failed_with(Error::kUnreachable));
  EXPECT_TRUE(mapped({0x30, 3, kPic, 44, 1}, {0xF0, 7}).failed_with(Error::kUnreachable));
  EXPECT_TRUE(mapped({}, {}).failed_with(Error::kUnreachable));
}

TEST(FdtInterrupt, DoubtsMaps) {
  EXPECT_TRUE(mapped({0x20, 3, kPic, 44}, {}).failed_with(Error::kInvalid));
  EXPECT_TRUE(mapped({0x20, 3}, {}).failed_with(Error::kInvalid));
  EXPECT_TRUE(mapped({0x20, 3, kPic, 44, 1}, {7}).failed_with(Error::kInvalid));
  EXPECT_TRUE(mapped({0x20, 3, 99, 44, 1}, {}).failed_with(Error::kNoDevice));
  EXPECT_TRUE(mapped({0, 0, kNexus, 0, 3}, {0, 0}).failed_with(Error::kTooMany));
}

} // namespace
} // namespace clay::test
