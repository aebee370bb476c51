// Real device trees, compiled by dtc from tests/data/boards, are taken with the right content, by
// the kernel alone and through the target's feed with its oracles.

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>

#include "kernel-src/boot/board.h"
#include "tests/kernel/boot/blob.h"
#include "tests/support/in_machine.h"

namespace clay::test {
namespace {

std::string host(StringView text) { return {text.data(), text.size()}; }

std::vector<uint8_t> compiled(const std::string& name) {
  std::ifstream file(std::string(KILN_BOARDS) + "/" + name + ".dtb", std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::unique_ptr<Board> board_named(const std::string& name) {
  const std::vector<uint8_t> blob = compiled(name);
  fdt::Refused why;
  const Result<fdt::Tree> tree = fdt::Tree::open(blob, why);
  EXPECT_TRUE(tree.ok()) << fdt::refusal_text(why.reason);
  std::unique_ptr<Board> board(new Board);
  EXPECT_TRUE(board->read(tree.value()).ok());
  return board;
}

void expect_range(const fdt::Range& range, uint64_t base, uint64_t size) {
  EXPECT_EQ(range.base, base);
  EXPECT_EQ(range.size, size);
}

void expect_serial(const Board& board, const char* compatible, uint64_t base, uint64_t size) {
  ASSERT_TRUE(board.has_serial());
  EXPECT_EQ(host(board.serial().compatible.view()), compatible);
  expect_range(board.serial().registers, base, size);
}

/// Nothing, or `count` things of one kind.
void expect_left_out(const Board& board, Oddity expected, size_t count) {
  for (size_t kind = 0; kind < kOddities; ++kind) {
    EXPECT_EQ(board.oddities(static_cast<Oddity>(kind)),
              static_cast<Oddity>(kind) == expected ? count : 0u)
        << oddity_text(static_cast<Oddity>(kind));
  }
}
void expect_nothing_left_out(const Board& board) { expect_left_out(board, Oddity::kRegShape, 0); }

void expect_irq(const Irq& irq, uint32_t number, bool edge = false) {
  EXPECT_EQ(irq.number, number);
  EXPECT_EQ(irq.edge, edge);
}
void expect_irq(const OptionalIrq& irq, uint32_t number, bool edge = false) {
  EXPECT_TRUE(irq.exists);
  expect_irq(irq.irq, number, edge);
}

void expect_timer(const ArmTimer& timer) {
  EXPECT_TRUE(timer.exists);
  expect_irq(timer.secure, 29);
  expect_irq(timer.physical, 30);
  expect_irq(timer.virtual_timer, 27);
  expect_irq(timer.hypervisor, 26);
}

void expect_window(const PcieHost::Window& window, PcieHost::Space space, uint64_t bus,
                   uint64_t cpu, uint64_t size, bool prefetchable = false) {
  EXPECT_EQ(window.space, space);
  EXPECT_EQ(window.bus, bus);
  expect_range(window.cpu, cpu, size);
  EXPECT_EQ(window.prefetchable, prefetchable);
}

TEST(FdtBoards, VirtualArm64) {
  const std::unique_ptr<Board> board = board_named("virt-arm64");
  expect_nothing_left_out(*board);
  EXPECT_EQ(host(board->model()), "linux,dummy-virt");
  ASSERT_EQ(board->memory().size(), 1u);
  expect_range(board->memory()[0], 0x40000000, 0x20000000);
  ASSERT_EQ(board->reserved().size(), 1u);
  expect_range(board->reserved()[0].range, 0x48000000, 0x8000);
  EXPECT_EQ(board->cpus().size(), 2u);
  EXPECT_EQ(host(board->bootargs()), "console=ttyAMA0 root=/dev/vda rw");
  expect_range(board->initrd(), 0x48000000, 0x123456);
  expect_serial(*board, "arm,pl011", 0x9000000, 0x1000);
  expect_irq(board->serial().irq, 33);
}

TEST(FdtBoards, DevicesOfVirtualArm64) {
  const std::unique_ptr<Board> board = board_named("virt-arm64");
  const Devices& devices = board->devices();
  EXPECT_EQ(devices.controller.kind, InterruptController::Kind::kGicV2);
  expect_range(devices.controller.registers, 0x8000000, 0x10000);
  expect_range(devices.controller.cpu_interface, 0x8010000, 0x10000);
  expect_timer(devices.timer);
  EXPECT_EQ(devices.psci, PsciMethod::kHvc);
  ASSERT_EQ(devices.virtio.size(), 2u);
  expect_range(devices.virtio[1].registers, 0xA000200, 0x200);
  expect_irq(devices.virtio[1].irq, 32 + 17, true);

  ASSERT_EQ(devices.pcie.size(), 1u);
  const PcieHost& host = devices.pcie[0];
  expect_range(host.config, 0x4010000000, 0x10000000);
  EXPECT_EQ(host.first_bus, 0);
  EXPECT_EQ(host.last_bus, 255);
  ASSERT_EQ(host.windows.size(), 3u);
  expect_window(host.windows[0], PcieHost::Space::kIo, 0, 0x3EFF0000, 0x10000);
  expect_window(host.windows[1], PcieHost::Space::kMemory32, 0x10000000, 0x10000000, 0x2EFF0000);
  expect_window(host.windows[2], PcieHost::Space::kMemory64, 0x8000000000, 0x8000000000,
                0x8000000000);
  ASSERT_EQ(host.routes.size(), 4u);
  EXPECT_EQ(host.route_mask, 0x1800u);
  EXPECT_EQ(host.routes[3].device, 0x800u);
  EXPECT_EQ(host.routes[3].pin, 2u);
  expect_irq(host.routes[3].irq, 32 + 5);
}

TEST(FdtBoards, RiscvSoc) {
  const std::unique_ptr<Board> board = board_named("riscv-soc");
  expect_nothing_left_out(*board);
  ASSERT_EQ(board->memory().size(), 2u);
  expect_range(board->memory()[1], 0x1080000000, 0x300000000);
  ASSERT_EQ(board->reserved().size(), 1u);
  expect_range(board->reserved()[0].range, 0x80000000, 0x80000);
  EXPECT_TRUE(board->reserved()[0].no_map);
  ASSERT_EQ(board->cpus().size(), 3u);
  EXPECT_EQ(board->cpus()[0], 1u);
  expect_serial(*board, "ns16550a", 0x10000000, 0x100);
  EXPECT_EQ(board->initrd().size, 0u);
  EXPECT_EQ(board->devices().controller.kind, InterruptController::Kind::kPlic);
  expect_range(board->devices().controller.registers, 0xC000000, 0x4000000);
  expect_irq(board->serial().irq, 10);
}

TEST(FdtBoards, ManyCores) {
  const std::unique_ptr<Board> board = board_named("many-core");
  expect_nothing_left_out(*board);
  ASSERT_EQ(board->memory().size(), 3u);
  expect_range(board->memory()[1], 0x2000000000, 0x1F00000000);
  expect_range(board->memory()[2], 0x40000000000, 0x2000000000);
  ASSERT_EQ(board->cpus().size(), 16u);
  EXPECT_EQ(board->cpus()[15], 0x303u);
  ASSERT_EQ(board->reserved().size(), 3u);
  EXPECT_TRUE(board->reserved()[1].no_map);
  expect_range(board->reserved()[2].range, 0x80000000, 0x800000);
  EXPECT_FALSE(board->reserved()[2].no_map);
  expect_serial(*board, "arm,sbsa-uart", 0x40028001000, 0x1000);
  expect_irq(board->serial().irq, 32 + 39);
}

TEST(FdtBoards, DevicesOfManyCores) {
  const std::unique_ptr<Board> board = board_named("many-core");
  const Devices& devices = board->devices();
  EXPECT_EQ(devices.controller.kind, InterruptController::Kind::kGicV3);
  ASSERT_EQ(devices.controller.redistributors.size(), 2u);
  expect_range(devices.controller.redistributors[1], 0x4002C100000, 0x200000);
  ASSERT_EQ(devices.controller.its.size(), 2u);
  expect_range(devices.controller.its[1], 0x4002C020000, 0x20000);
  EXPECT_EQ(devices.psci, PsciMethod::kSmc);
  expect_timer(devices.timer);
  ASSERT_EQ(devices.pcie.size(), 1u);
  ASSERT_EQ(devices.pcie[0].windows.size(), 2u);
  expect_window(devices.pcie[0].windows[1], PcieHost::Space::kMemory64, 0x110000000000,
                0x110000000000, 0x8000000000, true);
  ASSERT_EQ(devices.pcie[0].routes.size(), 4u);
  expect_irq(devices.pcie[0].routes[3].irq, 32 + 171);
}

TEST(FdtBoards, PowerPc) {
  const std::unique_ptr<Board> board = board_named("powerpc");
  // The console's interrupt goes to a controller that Clay knows nothing of.
  expect_left_out(*board, Oddity::kInterruptForeign, 1);
  EXPECT_FALSE(board->serial().irq.exists);
  ASSERT_EQ(board->memory().size(), 1u);
  expect_range(board->memory()[0], 0, 0x8000000);
  EXPECT_EQ(board->reserved().size(), 2u);
  EXPECT_EQ(board->cpus().size(), 1u);
  EXPECT_EQ(host(board->bootargs()), "root=/dev/nfs ip=dhcp");
  expect_serial(*board, "fsl,ns16550", 0xE0004600, 0x100);
}

TEST(FdtBoards, SmallM32) {
  const std::unique_ptr<Board> board = board_named("small-m32");
  ASSERT_EQ(board->memory().size(), 1u);
  expect_range(board->memory()[0], 0x20000000, 0x80000);
  EXPECT_EQ(board->oddities(Oddity::kRangeEmpty), 1u);
  ASSERT_EQ(board->cpus().size(), 1u);
  EXPECT_EQ(board->cpus()[0], 0xF00u);
  expect_serial(*board, "slip,uart", 0x41002000, 0x400);
}

TEST(FdtBoards, NestedBuses) {
  const std::unique_ptr<Board> board = board_named("nested-buses");
  expect_nothing_left_out(*board);
  expect_range(board->memory()[0], 0x880000000, 0x80000000);
  expect_serial(*board, "arm,pl011", 0x41C090000, 0x1000);
  expect_irq(board->serial().irq, 32 + 5);
  const Devices& devices = board->devices();
  EXPECT_EQ(devices.controller.kind, InterruptController::Kind::kGicV2);
  expect_range(devices.controller.registers, 0x2C001000, 0x1000);
  expect_range(devices.controller.cpu_interface, 0x2C002000, 0x2000);
  expect_timer(devices.timer);
  EXPECT_EQ(devices.psci, PsciMethod::kSmc);
  ASSERT_EQ(devices.virtio.size(), 2u);
  expect_range(devices.virtio[0].registers, 0x41C130000, 0x200);
  expect_irq(devices.virtio[0].irq, 32 + 42, true);
  expect_range(devices.virtio[1].registers, 0x41E000800, 0x200);
  expect_irq(devices.virtio[1].irq, 32 + 44);
}

TEST(FdtBoards, OddButLegal) {
  const std::unique_ptr<Board> board = board_named("odd-but-legal");
  expect_nothing_left_out(*board);
  expect_range(board->memory()[0], 0x100000000, 0x40000000);
  expect_serial(*board, "ns16550a", 0x500003F8, 8);
  expect_irq(board->serial().irq, 36, true);
  const Devices& devices = board->devices();
  EXPECT_EQ(devices.controller.kind, InterruptController::Kind::kGicV3);
  ASSERT_EQ(devices.controller.redistributors.size(), 2u);
  expect_range(devices.controller.redistributors[1], 0x4030100000, 0x100000);
  expect_irq(devices.timer.virtual_timer, 1056 + 5);
  ASSERT_EQ(devices.virtio.size(), 1u);
  expect_range(devices.virtio[0].registers, 0x600D0000, 0x1000);
  EXPECT_FALSE(devices.virtio[0].irq.exists);
  ASSERT_EQ(devices.pcie.size(), 2u);
  EXPECT_FALSE(devices.pcie[0].ecam);
  EXPECT_EQ(devices.pcie[0].first_bus, 16);
  EXPECT_EQ(devices.pcie[0].last_bus, 31);
  ASSERT_EQ(devices.pcie[0].routes.size(), 2u);
  expect_irq(devices.pcie[0].routes[1].irq, 4096 + 17, true);
  EXPECT_EQ(devices.pcie[1].last_bus, 255);
  EXPECT_EQ(devices.pcie[1].routes.size(), 0u);
  expect_window(devices.pcie[1].windows[0], PcieHost::Space::kMemory32, 0x80000000, 0x2100000000,
                0x40000000);
  expect_window(devices.pcie[1].windows[1], PcieHost::Space::kMemory64, 0x2200000000, 0x2200000000,
                0x200000000, true);
}

TEST(FdtBoards, EveryOracleAgreesThroughFeed) {
  for (const char* name : {"virt-arm64", "riscv-soc", "many-core", "powerpc", "small-m32",
                           "nested-buses", "odd-but-legal"}) {
    std::string words;
    const kiln::sim::Outcome outcome =
        kiln::test::feed_target("boot/fdt", name, compiled(name), words);
    EXPECT_FALSE(outcome.found) << name << ": " << outcome.finding.headline;
    EXPECT_NE(words.find("a device tree of"), words.npos) << words;
    EXPECT_NE(words.find("console"), words.npos) << words;
    EXPECT_NE(words.find("libfdt read the same"), words.npos) << words;
  }
}

TEST(FdtBoards, FeedSaysWhyItRefuses) {
  std::vector<uint8_t> blob = compiled("virt-arm64");
  blob.resize(blob.size() - 1);
  std::string words;
  const kiln::sim::Outcome outcome = kiln::test::feed_target("boot/fdt", "cut", blob, words);
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
  EXPECT_EQ(words, "refused at byte 4: totalsize is below the header's size or above what was "
                   "handed over\n");
}

} // namespace
} // namespace clay::test
