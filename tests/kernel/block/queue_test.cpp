// What the request queue makes of requests when nothing goes wrong: which commands, in which order.
// That it is right whatever goes wrong is the target block/queue's business.

#include <string>
#include <vector>

#include "kernel-src/block/queue.h"
#include "kernel-src/block/slice.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

using clay::BlockIo;
using clay::BlockOp;
using clay::BlockShape;

/// Keeps its commands until the test answers them.
class Recorder final : public clay::DiskDriver {
 public:
  clay::Result<> start(const clay::DiskCommand& command) override {
    waiting.push_back(command.tag);
    sectors.push_back(command.sectors);
    static constexpr char kOps[] = "rwfd";
    log += std::string(log.empty() ? "" : " ") + kOps[static_cast<size_t>(command.op)];
    if (command.op != BlockOp::kFlush) {
      log += std::to_string(command.sector) + "+" + std::to_string(command.sectors);
    }
    if (command.pieces.size() > 1) log += "/" + std::to_string(command.pieces.size());
    if (command.durable) log += "!";
    return {};
  }
  clay::Result<> reset() override { return {}; }

  void answer_one() {
    const uint32_t tag = waiting.front();
    const size_t bytes = size_t{sectors.front()} * 512;
    waiting.erase(waiting.begin());
    sectors.erase(sectors.begin());
    KILN_CHECK(queue->complete(tag, {}, bytes), "a command is not known");
    KILN_CHECK(!queue->complete(tag, {}, bytes), "a command is completed twice");
  }
  void answer_all() {
    while (!waiting.empty())
      answer_one();
  }

  clay::RequestQueue* queue = nullptr;
  std::string log;
  std::vector<uint32_t> waiting;
  std::vector<uint32_t> sectors;
};

/// A queue over a recorder, and requests whose ends are counted.
class Bench {
 public:
  explicit Bench(const BlockShape& shape, uint16_t slots = 1) {
    clay::QueueLimits limits;
    limits.slots = slots;
    queue = clay::RequestQueue::create(disk, shape, limits).take();
    disk.queue = queue.get();
  }
  ~Bench() {
    disk.answer_all();
    queue->stop();
    KILN_CHECK(ended == submitted, "of %u requests %u ended", submitted, ended);
  }

  BlockIo& submit(BlockOp op, uint64_t sector = 0, uint64_t sectors = 1) {
    ios.push_back(std::make_unique<BlockIo>());
    BlockIo& io = *ios.back();
    io.op = op;
    io.sector = sector;
    io.sectors = sectors;
    io.data = op == BlockOp::kRead || op == BlockOp::kWrite ? memory : nullptr;
    io.arg = this;
    io.done = [](BlockIo& done, clay::Result<> result) {
      KILN_CHECK(result.ok(), "a request fails");
      ++static_cast<Bench*>(done.arg)->ended;
    };
    return io;
  }
  void go(BlockOp op, uint64_t sector = 0, uint64_t sectors = 1) {
    BlockIo& io = submit(op, sector, sectors);
    ++submitted;
    queue->submit(io);
  }

  Recorder disk;
  clay::Box<clay::RequestQueue> queue;
  std::vector<std::unique_ptr<BlockIo>> ios;
  uint8_t memory[64 * 512] = {};
  unsigned submitted = 0;
  unsigned ended = 0;
};

BlockShape plain_shape() {
  BlockShape shape;
  shape.sectors = 1000;
  shape.most_sectors = 8;
  return shape;
}

/// In order only: other schedules may let the clock jump to the time-out of what is under way.
void expect_commands(Body body) { ASSERT_NO_FATAL_FAILURE(expect_silent_in_order(body)); }

void expect_log(const std::string& got, const char* want) {
  KILN_CHECK(got == want, "the disk got '%s' and not '%s'", got.c_str(), want);
}

TEST(RequestQueue, MergesWhatFollowsAndSplitsWhatIsTooLarge) {
  expect_commands([](sim::Run&) {
    Bench bench(plain_shape());
    bench.go(BlockOp::kRead, 100); // takes the slot
    bench.go(BlockOp::kRead, 12, 2);
    bench.go(BlockOp::kRead, 10, 2);
    bench.go(BlockOp::kRead, 14, 3);
    bench.go(BlockOp::kWrite, 17, 1);
    bench.go(BlockOp::kRead, 200, 20);
    bench.disk.answer_all();
    expect_log(bench.disk.log, "r100+1 r200+8 r208+8 r216+4 r10+7/3 w17+1");
  });
}

TEST(RequestQueue, GoesOnUpwardsAndBeginsAgainBelow) {
  expect_commands([](sim::Run&) {
    Bench bench(plain_shape());
    for (const uint64_t sector : {500, 700, 300, 600, 100})
      bench.go(BlockOp::kRead, sector);
    bench.disk.answer_all();
    expect_log(bench.disk.log, "r500+1 r600+1 r700+1 r100+1 r300+1");
  });
}

TEST(RequestQueue, OneFlushIsForAllWhoWaitForIt) {
  expect_commands([](sim::Run&) {
    Bench bench(plain_shape(), 4);
    for (unsigned i = 0; i < 4; ++i)
      bench.go(BlockOp::kFlush);
    bench.disk.answer_all();
    expect_log(bench.disk.log, "f f");
  });
}

TEST(RequestQueue, DurableWritesAreWhatTheDeviceCanDo) {
  expect_commands([](sim::Run&) {
    for (const bool cache : {true, false}) {
      for (const bool fua : {true, false}) {
        BlockShape shape = plain_shape();
        shape.volatile_cache = cache;
        shape.has_durable_write = fua;
        Bench bench(shape);
        BlockIo& io = bench.submit(BlockOp::kWrite, 7);
        io.durable = io.flush_first = true;
        ++bench.submitted;
        bench.queue->submit(io);
        bench.disk.answer_all();
        expect_log(bench.disk.log, !cache ? "w7+1" : fua ? "f w7+1!" : "f w7+1 f");
      }
    }
  });
}

TEST(RequestQueue, UnsoundShapesAndLimitsAreRefused) {
  expect_commands([](sim::Run&) {
    Recorder disk;
    const auto refuses = [&disk](const BlockShape& shape, const clay::QueueLimits& limits) {
      const auto queue = clay::RequestQueue::create(disk, shape, limits);
      KILN_CHECK(queue.failed_with(clay::Error::kInvalid), "a queue is made");
    };
    for (const uint32_t bytes : {0u, 256u, 511u, 514u, 65540u, 131072u}) {
      BlockShape shape = plain_shape();
      shape.sector_bytes = shape.physical_bytes = bytes;
      refuses(shape, {});
    }
    BlockShape shape = plain_shape();
    shape.physical_bytes = 520;
    refuses(shape, {});
    shape = plain_shape();
    shape.most_sectors = 0;
    refuses(shape, {});
    shape = plain_shape();
    shape.most_segments = 0;
    refuses(shape, {});
    refuses(plain_shape(), {.slots = 0});
    refuses(plain_shape(), {.slots = 257});
    refuses(plain_shape(), {.command_ns = 0});
    refuses(plain_shape(), {.most_admitted = 0});
  });
}

TEST(BlockSlice, LiesInsideItsDevice) {
  expect_commands([](sim::Run&) {
    Bench bench(plain_shape());
    for (const auto& [first, sectors] : {std::pair<uint64_t, uint64_t>{0, 1001},
                                         {1000, 1},
                                         {1001, 0},
                                         {1, UINT64_MAX},
                                         {UINT64_MAX, 2}}) {
      KILN_CHECK(clay::BlockSlice::create(*bench.queue, first, sectors)
                     .failed_with(clay::Error::kOutOfRange),
                 "a slice lies outside");
    }
    auto slice = clay::BlockSlice::create(*bench.queue, 990, 10).take();
    BlockIo& io = bench.submit(BlockOp::kRead, 9);
    ++bench.submitted;
    slice->submit(io);
    bench.disk.answer_all();
    KILN_CHECK(io.sector == 9, "a request comes back with another sector");
    expect_log(bench.disk.log, "r999+1");
  });
}

} // namespace
} // namespace kiln::test
