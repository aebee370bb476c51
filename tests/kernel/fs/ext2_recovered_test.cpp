// What a cut has left and a mount has recovered, judged by e2fsck: images of all shapes, with all
// kinds of programs, and a cut at any place. The judge that fs/ext2 asks thousands of times a
// second is its own.

#include "generators/fs.h"
#include "targets/fs/ext2_disk.h"
#include "targets/fs/node_driver.h"
#include "tests/kernel/fs/ext2_test.h"

namespace kiln::test {
namespace {

using worlds::ext2::kStocks;
using worlds::ext2::stock;

constexpr uint64_t kRounds = 4;

worlds::DiskShape shape_of(const worlds::ext2::Stock& stock) {
  worlds::DiskShape shape;
  shape.sectors = stock.bytes.size() / shape.sector_bytes;
  return shape;
}

void work(fs::Ext2Disk& room, sim::Tape& tape, const gen::FsStyle& style) {
  fs::NodeDriver driver(must(room.fs().root(), "the root"));
  gen::FsDrawer drawer(tape, style);
  for (unsigned i = 0; i < 40 && room.disk.powered(); ++i) {
    const gen::FsOperation operation = drawer.operation();
    if (!driver.is_idle(operation)) driver.perform(operation);
  }
}

/// Program, cut, recovery; the image for e2fsck.
void crash(sim::Run&) {
  const uint64_t number = test_parameter();
  const worlds::ext2::Stock& start = stock(static_cast<uint32_t>(number % kStocks));
  sim::Tape tape({.target = "fs/ext2", .seed = number, .iteration = number, .longest = 4096});
  fs::Ext2Disk room(shape_of(start), start);
  gen::FsStyle style;
  style.block_bytes = start.shape.block_bytes;
  style.weights[static_cast<size_t>(gen::FsAct::kSync)] = 8;
  const uint64_t last = 8 * (number / kStocks + 1) * (number / kStocks + 1);
  room.disk.cut_after(number * 7 % last, tape, sim::Lane::kWorld);
  if (room.mount().ok()) work(room, tape, style);
  if (room.disk.powered()) room.disk.cut(tape.world());
  if (room.is_mounted()) static_cast<void>(room.unmount());
  room.disk.power_on();
  must(room.mount(), "recovery");
  KILN_CHECK(!room.fs().read_only(), "recovery has given up");
  must(room.unmount(), "unmount");
  room.disk.peek(0, image());
}

TEST(Ext2Recovered, IsSoundToE2fsck) {
  for (uint64_t number = 0; number < kRounds * kStocks; ++number) {
    SCOPED_TRACE("sample " + std::to_string(number));
    image().assign(stock(static_cast<uint32_t>(number % kStocks)).bytes.size(), 0);
    test_parameter() = number;
    ASSERT_NO_FATAL_FAILURE(expect_silent_in_order(crash));
    ASSERT_EQ(fsck(), "");
  }
}

} // namespace
} // namespace kiln::test
