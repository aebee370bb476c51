// The board's limits, and what it leaves out.

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "kernel-src/boot/board.h"
#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

std::string host(StringView text) { return {text.data(), text.size()}; }

/// A board of a root with `make`'s nodes.
template <typename Make> std::unique_ptr<Board> board_of(Make make) {
  Builder builder;
  builder.open("");
  builder.lay_down({2, 2});
  make(builder);
  builder.close();
  const std::vector<uint8_t> blob = blob_of(builder);
  std::unique_ptr<Board> board(new Board);
  const Result<void> read = board->read(tree_of(blob));
  EXPECT_EQ(read.ok(), !board->memory().empty());
  return board;
}

void add_memory(Builder& builder, std::initializer_list<Range> ranges) {
  builder.open("memory");
  builder.text("device_type", "memory");
  builder.reg(ranges);
  builder.close();
}

std::unique_ptr<Board> with_bootargs(const std::string& bootargs) {
  return board_of([&](Builder& builder) {
    builder.open("chosen");
    builder.string("bootargs", bootargs);
    builder.close();
  });
}

TEST(Board, CutsACommandLineBehindAWord) {
  const std::string full(Board::kBootargsMax, 'a');
  EXPECT_EQ(host(with_bootargs(full)->bootargs()), full);
  EXPECT_EQ(with_bootargs(full)->oddities(Oddity::kBootargsCut), 0u);
  const std::unique_ptr<Board> longer = with_bootargs("quiet  root=" + full);
  EXPECT_EQ(host(longer->bootargs()), "quiet");
  EXPECT_EQ(longer->oddities(Oddity::kBootargsCut), 1u);
  EXPECT_EQ(host(with_bootargs(full + " quiet")->bootargs()), full);
  EXPECT_EQ(host(with_bootargs(full + "a")->bootargs()), "");
}

TEST(Board, KeepsMemoryUpToItsLimit) {
  const auto make = [](size_t count) {
    return board_of([count](Builder& builder) {
      for (size_t i = 0; i < count; ++i) {
        add_memory(builder, {{i << 20, 4096}});
      }
    });
  };
  EXPECT_EQ(make(32)->memory().size(), 32u);
  EXPECT_EQ(make(32)->oddities(Oddity::kMemoryFull), 0u);
  EXPECT_EQ(make(35)->memory().size(), 32u);
  EXPECT_EQ(make(35)->oddities(Oddity::kMemoryFull), 3u);
  EXPECT_EQ(make(35)->memory()[31].base, uint64_t{31} << 20);
}

TEST(Board, LeavesOutRangesThatMakeNoSense) {
  const std::unique_ptr<Board> board = board_of([](Builder& builder) {
    add_memory(builder, {{0x1000, 0}, {UINT64_MAX, 2}, {UINT64_MAX, 1}});
    builder.reserve(0x4000, 0);
    builder.reserve(UINT64_MAX - 4, 10);
    builder.reserve(0x8000, 0x1000);
  });
  ASSERT_EQ(board->memory().size(), 1u);
  EXPECT_EQ(board->memory()[0].base, UINT64_MAX);
  ASSERT_EQ(board->reserved().size(), 1u);
  EXPECT_EQ(board->reserved()[0].range.base, 0x8000u);
  EXPECT_EQ(board->oddities(Oddity::kRangeEmpty), 2u);
  EXPECT_EQ(board->oddities(Oddity::kRangeBeyond), 2u);
}

TEST(Board, WantsMemoryDirectlyUnderTheRoot) {
  const std::unique_ptr<Board> board = board_of([](Builder& builder) {
    builder.open("soc");
    builder.lay_down({2, 2});
    add_memory(builder, {{0, 4096}});
    builder.close();
  });
  EXPECT_TRUE(board->memory().empty());
}

void add_cpu(Builder& builder, uint64_t id, const char* status) {
  builder.open_at("cpu", id);
  builder.text("device_type", "cpu");
  builder.reg({{id, 0}});
  if (status != nullptr) {
    builder.string("status", status);
  }
  builder.close();
}

TEST(Board, CountsCpusThatCanRun) {
  const std::unique_ptr<Board> board = board_of([](Builder& builder) {
    builder.open("cpus");
    builder.lay_down({1, 0});
    add_cpu(builder, 0x100, nullptr);
    add_cpu(builder, 0x101, "disabled");
    add_cpu(builder, 0x102, "okay");
    builder.open("idle-states");
    builder.close();
    builder.open("cpu");
    builder.close();
    builder.close();
  });
  ASSERT_EQ(board->cpus().size(), 2u);
  EXPECT_EQ(board->cpus()[0], 0x100u);
  EXPECT_EQ(board->cpus()[1], 0x102u);
  EXPECT_EQ(board->oddities(Oddity::kRegShape), 1u); // the one without a reg
}

std::unique_ptr<Board> with_initrd(std::initializer_list<uint32_t> start,
                                   std::initializer_list<uint32_t> end) {
  return board_of([&](Builder& builder) {
    builder.open("chosen");
    builder.cells("linux,initrd-start", start);
    builder.cells("linux,initrd-end", end);
    builder.close();
  });
}

TEST(Board, ReadsTheInitialRamDisk) {
  EXPECT_EQ(with_initrd({0x1000}, {0x3000})->initrd().size, 0x2000u);
  EXPECT_EQ(with_initrd({1, 0}, {1, 1})->initrd().base, 0x1'0000'0000u);
  EXPECT_EQ(with_initrd({0x1000}, {0, 0x1001})->initrd().size, 1u);
  EXPECT_EQ(with_initrd({0x1000}, {0x1000})->initrd().size, 0u);
  EXPECT_EQ(with_initrd({0x1000}, {0x1000})->oddities(Oddity::kInitrd), 1u);
  EXPECT_EQ(with_initrd({0x1000}, {0xFFF})->oddities(Oddity::kInitrd), 1u);
  EXPECT_EQ(with_initrd({}, {0x1000})->oddities(Oddity::kInitrd), 1u);
}

TEST(Board, ReadsOnlyTheFirstChosen) {
  const std::unique_ptr<Board> board = board_of([](Builder& builder) {
    for (const char* bootargs : {"first", "second"}) {
      builder.open("chosen");
      builder.string("bootargs", bootargs);
      builder.close();
    }
  });
  EXPECT_EQ(host(board->bootargs()), "first");
}

} // namespace
} // namespace clay::test
