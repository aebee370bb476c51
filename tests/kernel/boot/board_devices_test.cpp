// The board's devices: what is left out, and the limits.

#include <gtest/gtest.h>
#include <memory>

#include "kernel-src/boot/board.h"
#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

constexpr uint32_t kGic = 7;

/// A board with a GICv2 and `make`'s nodes.
template <typename Make> std::unique_ptr<Board> board_of(Make make) {
  Builder builder;
  builder.open("");
  builder.u32("interrupt-parent", kGic);
  builder.lay_down({2, 2});
  builder.open("gic");
  builder.u32("phandle", kGic);
  builder.u32("#interrupt-cells", 3);
  builder.flag("interrupt-controller");
  builder.text("compatible", "arm,gic-400");
  builder.reg({{0x1000, 0x1000}, {0x2000, 0x2000}});
  builder.close();
  make(builder);
  builder.close();
  const std::vector<uint8_t> blob = blob_of(builder);
  std::unique_ptr<Board> board(new Board);
  EXPECT_TRUE(board->read(tree_of(blob)).failed_with(Error::kNotFound)); // it has no memory
  return board;
}

void add_slot(Builder& builder, uint64_t base, std::initializer_list<uint32_t> interrupts) {
  builder.open("virtio");
  builder.text("compatible", "virtio,mmio");
  builder.reg({{base, 0x200}});
  builder.cells("interrupts", interrupts);
  builder.close();
}

TEST(BoardDevices, KnowsWhichInterruptsAGicHas) {
  const auto irq = [](uint32_t type, uint32_t number) {
    const std::unique_ptr<Board> board =
        board_of([&](Builder& builder) { add_slot(builder, 0x9000, {type, number, 4}); });
    const OptionalIrq& found = board->devices().virtio[0].irq;
    EXPECT_EQ(board->oddities(Oddity::kInterruptNumber), found.exists ? 0u : 1u);
    return found.exists ? found.irq.number : 0;
  };
  EXPECT_EQ(irq(0, 0), 32u);
  EXPECT_EQ(irq(0, 987), 1019u);
  EXPECT_EQ(irq(0, 988), 0u);
  EXPECT_EQ(irq(1, 0), 16u);
  EXPECT_EQ(irq(1, 15), 31u);
  EXPECT_EQ(irq(1, 16), 0u);
  EXPECT_EQ(irq(2, 0), 0u); // GICv3's
  EXPECT_EQ(irq(UINT32_MAX, 0), 0u);
}

TEST(BoardDevices, KeepsVirtioSlotsUpToTheLimit) {
  const std::unique_ptr<Board> board = board_of([](Builder& builder) {
    for (uint32_t i = 0; i < Devices::kVirtioSlotsMax + 3; ++i) {
      add_slot(builder, i * 0x200, {0, i, 1});
    }
  });
  EXPECT_EQ(board->devices().virtio.size(), Devices::kVirtioSlotsMax);
  EXPECT_EQ(board->oddities(Oddity::kVirtioFull), 3u);
  EXPECT_TRUE(board->devices().virtio[31].irq.irq.edge);
}

TEST(BoardDevices, IgnoresWhatIsInADisabledNode) {
  const std::unique_ptr<Board> board = board_of([](Builder& builder) {
    builder.open("bus");
    builder.lay_down({2, 2});
    builder.flag("ranges");
    builder.text("status", "disabled");
    add_slot(builder, 0x9000, {0, 1, 1});
    builder.close();
  });
  EXPECT_EQ(board->devices().virtio.size(), 0u);
}

/// The host of a board with one: its configuration space has room for 16 buses.
std::unique_ptr<Board> with_host(std::initializer_list<uint32_t> buses,
                                 std::initializer_list<uint32_t> ranges) {
  return board_of([&](Builder& builder) {
    builder.open("pcie");
    builder.text("compatible", "pci-host-ecam-generic");
    builder.reg({{0x40000000, 16 << 20}});
    builder.lay_down({3, 2});
    builder.cells("bus-range", buses);
    builder.cells("ranges", ranges);
    builder.close();
  });
}

TEST(BoardDevices, DoubtsBusNumbers) {
  EXPECT_EQ(with_host({0, 15}, {})->devices().pcie[0].last_bus, 15);
  EXPECT_EQ(with_host({240, 255}, {})->devices().pcie[0].first_bus, 240);
  for (const std::initializer_list<uint32_t>& buses :
       {std::initializer_list<uint32_t>{1, 0}, {0, 256}, {3}, {0, 1, 2}}) {
    const std::unique_ptr<Board> board = with_host(buses, {});
    EXPECT_EQ(board->devices().pcie.size(), 0u);
    EXPECT_EQ(board->oddities(Oddity::kPcieBuses), 1u);
  }
  const std::unique_ptr<Board> cut = with_host({8, 24}, {});
  EXPECT_EQ(cut->devices().pcie[0].last_bus, 23);
  EXPECT_EQ(cut->oddities(Oddity::kPcieConfig), 1u);
}

/// Windows kept of one entry, and oddities.
void expect_window(std::initializer_list<uint32_t> entry, size_t kept, Oddity oddity, size_t odd) {
  const std::unique_ptr<Board> board = with_host({0, 0}, entry);
  EXPECT_EQ(board->devices().pcie[0].windows.size(), kept);
  EXPECT_EQ(board->oddities(oddity), odd);
}

TEST(BoardDevices, DoubtsWindows) {
  constexpr uint32_t kOnes = UINT32_MAX;
  expect_window({0x02000000, 0, 0x80000000, 0, 0x10, 0, 0x80000000}, 1, Oddity::kPcieWindow, 0);
  expect_window({0x02000000, 0, 0x80000000, 0, 0x10, 0, 0x80000001}, 0, Oddity::kPcieWindow, 1);
  expect_window({0x03000000, 0, 0x80000000, 0, 0x10, 0, 0x80000001}, 1, Oddity::kPcieWindow, 0);
  expect_window({0x03000000, kOnes, kOnes, 0, 0x10, 0, 1}, 1, Oddity::kPcieWindow, 0);
  expect_window({0x03000000, kOnes, kOnes, 0, 0x10, 0, 2}, 0, Oddity::kPcieWindow, 1);
  expect_window({0x03000000, 0, 0, kOnes, kOnes, 0, 2}, 0, Oddity::kPcieWindow, 1);
  expect_window({0x03000000, 0, 0, 0, 0, 0, 0}, 0, Oddity::kRangeEmpty, 1);
  expect_window({0, 0, 0, 0, 0, 0, 1}, 0, Oddity::kPcieWindow, 0);
  expect_window({0x03000000, 0, 0, 0, 0, 1}, 0, Oddity::kPcieShape, 1);
}

} // namespace
} // namespace clay::test
