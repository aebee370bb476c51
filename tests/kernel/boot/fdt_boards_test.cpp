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

void expect_nothing_left_out(const Board& board) {
  for (size_t kind = 0; kind < kOddities; ++kind) {
    EXPECT_EQ(board.oddities(static_cast<Oddity>(kind)), 0u)
        << oddity_text(static_cast<Oddity>(kind));
  }
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
}

TEST(FdtBoards, PowerPc) {
  const std::unique_ptr<Board> board = board_named("powerpc");
  expect_nothing_left_out(*board);
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

TEST(FdtBoards, EveryOracleAgreesThroughFeed) {
  for (const char* name : {"virt-arm64", "riscv-soc", "many-core", "powerpc", "small-m32"}) {
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
