// The block cache on a device of a few sectors: what it refuses, and the order of its commands.

#include <string.h>
#include <vector>

#include "kernel-src/block/cache.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

constexpr uint32_t kBlockBytes = 1024;

/// Does everything at once; fails what it is told to.
class RamDevice final : public clay::BlockDevice {
 public:
  explicit RamDevice(const clay::BlockShape& shape)
      : BlockDevice(shape), bytes_(static_cast<size_t>(shape.sectors * shape.sector_bytes)) {}

  void submit(clay::BlockIo& io) override {
    log.push_back({io.op, io.sector});
    const bool fails = fail_op == io.op && fail_times != 0;
    if (fails) {
      --fail_times;
    } else if (io.op != clay::BlockOp::kFlush) {
      uint8_t* const at = &bytes_[static_cast<size_t>(io.sector * shape().sector_bytes)];
      const auto size = static_cast<size_t>(io.sectors * shape().sector_bytes);
      io.op == clay::BlockOp::kRead ? memcpy(io.data, at, size) : memcpy(at, io.data, size);
    }
    io.done(io, fails ? clay::Result<>(clay::Error::kIo) : clay::Result<>());
  }

  struct Command {
    clay::BlockOp op;
    uint64_t sector;
    bool operator==(const Command&) const = default;
  };
  uint8_t byte(uint64_t block) const { return bytes_[static_cast<size_t>(block * kBlockBytes)]; }

  std::vector<Command> log;
  clay::BlockOp fail_op = clay::BlockOp::kRead;
  unsigned fail_times = 0;

 private:
  std::vector<uint8_t> bytes_;
};

clay::Box<clay::BlockCache> make_cache(clay::BlockDevice& device, uint32_t capacity = 8) {
  auto cache = clay::BlockCache::create(device, kBlockBytes, capacity);
  KILN_CHECK(cache.ok(), "the cache is refused");
  return cache.take();
}

void put(clay::BlockCache& cache, uint64_t number, uint8_t value, unsigned stage) {
  auto block = cache.read(number);
  KILN_CHECK(block.ok(), "block %u cannot be read", static_cast<unsigned>(number));
  auto edit = block.value().edit(stage);
  KILN_CHECK(edit.ok(), "block %u cannot be edited", static_cast<unsigned>(number));
  edit.value().bytes()[0] = value;
}

TEST(BlockCache, RefusesWhatDoesNotFit) {
  expect_silent(
      [](sim::Run&) {
        const auto refused = [](uint64_t sectors, uint32_t sector_bytes, uint32_t block_bytes,
                                uint32_t capacity, clay::Error error) {
          RamDevice device({.sectors = sectors, .sector_bytes = sector_bytes});
          const auto cache = clay::BlockCache::create(device, block_bytes, capacity);
          KILN_CHECK(cache.failed_with(error), "blocks of %u on sectors of %u: not refused rightly",
                     block_bytes, sector_bytes);
        };
        refused(8, 520, 1024, 8, clay::Error::kUnsupported);
        refused(8, 4096, 1024, 8, clay::Error::kUnsupported);
        refused(8, 512, 1536, 8, clay::Error::kInvalid);
        refused(8, 512, 0, 8, clay::Error::kInvalid);
        refused(8, 512, 1024, 7, clay::Error::kInvalid);
        RamDevice odd({.sectors = 7});
        auto cache = make_cache(odd);
        KILN_CHECK(cache->blocks() == 3, "%u blocks", static_cast<unsigned>(cache->blocks()));
        KILN_CHECK(cache->read(2).ok() && cache->read(3).failed_with(clay::Error::kOutOfRange),
                   "the last whole block is the last one");
        RamDevice none({.sectors = 0});
        KILN_CHECK(make_cache(none)->read(0).failed_with(clay::Error::kOutOfRange),
                   "nothing is there");
      },
      0);
}

TEST(BlockCache, WritesStageByStage) {
  expect_silent([](sim::Run&) {
    RamDevice device({.sectors = 32});
    auto cache = make_cache(device);
    put(*cache, 5, 1, 2);
    put(*cache, 6, 1, 0);
    put(*cache, 7, 1, 2);
    device.log.clear();
    KILN_CHECK(cache->dirty() == 3 && cache->sync().ok() && cache->dirty() == 0, "not written");
    using enum clay::BlockOp;
    const std::vector<RamDevice::Command> want = {
        {kWrite, 12}, {kFlush, 0}, {kWrite, 10}, {kWrite, 14}, {kFlush, 0}};
    KILN_CHECK(device.log == want, "another order");
    device.log.clear();
    KILN_CHECK(cache->sync().ok() && device.log.empty(), "there was nothing to do");
  });
}

TEST(BlockCache, AnotherStageWritesFirst) {
  expect_silent([](sim::Run&) {
    RamDevice device({.sectors = 32});
    auto cache = make_cache(device);
    put(*cache, 5, 1, 3);
    put(*cache, 6, 1, 1);
    put(*cache, 5, 2, 0);
    KILN_CHECK(device.byte(5) == 1 && device.byte(6) == 1, "the older stages are written");
    KILN_CHECK(cache->dirty() == 1 && cache->sync().ok() && device.byte(5) == 2, "and the edit");
  });
}

TEST(BlockCache, WritesWhatWasBeforeAnOpenEdit) {
  expect_silent([](sim::Run&) {
    RamDevice device({.sectors = 32});
    auto cache = make_cache(device);
    put(*cache, 5, 1, 0);
    {
      auto block = cache->read(5).take();
      auto edit = block.edit(0).take();
      edit.bytes()[0] = 2;
      KILN_CHECK(cache->sync().ok() && device.byte(5) == 1, "an edit is torn");
      edit.bytes()[1] = 2;
    }
    KILN_CHECK(cache->dirty() == 1 && cache->sync().ok() && device.byte(5) == 2, "not written");
  });
}

TEST(BlockCache, FailuresAreNotForgotten) {
  expect_silent([](sim::Run&) {
    for (const clay::BlockOp op : {clay::BlockOp::kWrite, clay::BlockOp::kFlush}) {
      RamDevice device({.sectors = 32});
      auto cache = make_cache(device);
      put(*cache, 5, 1, 0);
      put(*cache, 6, 1, 1);
      device.fail_op = op;
      device.fail_times = 2;
      KILN_CHECK(!cache->sync().ok() && !cache->sync().ok(), "a failure is not told");
      KILN_CHECK(cache->dirty() == 2 && device.byte(6) == 0, "the next stage is written");
      device.log.clear();
      KILN_CHECK(cache->sync().ok() && cache->dirty() == 0, "it is not tried again");
      KILN_CHECK(device.log.size() == 4 && device.byte(5) == 1 && device.byte(6) == 1, "not there");
      device.fail_op = clay::BlockOp::kRead;
      device.fail_times = 1;
      KILN_CHECK(cache->read(7).failed_with(clay::Error::kIo) && cache->read(7).ok(), "reads");
    }
  });
}

TEST(BlockCache, FreshAndForgottenBlocksAreNotRead) {
  expect_silent([](sim::Run&) {
    RamDevice device({.sectors = 32});
    auto cache = make_cache(device);
    put(*cache, 4, 9, 0);
    KILN_CHECK(cache->sync().ok(), "not written");
    device.log.clear();
    KILN_CHECK(cache->fresh(4, 1).ok() && cache->fresh(5, 1).ok() && cache->dirty() == 2, "fresh");
    cache->forget(5);
    cache->forget(6);
    KILN_CHECK(cache->sync().ok() && device.byte(4) == 0, "zeros");
    KILN_CHECK(device.log.size() == 2, "a forgotten block is written");
  });
}

TEST(BlockCache, EvictsTheLongestIdle) {
  expect_silent([](sim::Run&) {
    RamDevice device({.sectors = 64});
    auto cache = make_cache(device);
    put(*cache, 0, 1, 0);
    for (uint64_t number = 1; number < 8; ++number) {
      KILN_CHECK(cache->read(number).ok(), "refused");
    }
    KILN_CHECK(cache->read(1).ok() && cache->read(8).ok() && cache->read(9).ok(), "refused");
    KILN_CHECK(device.byte(0) == 0, "a dirty block is written, and clean ones are there");
    device.log.clear();
    KILN_CHECK(cache->read(1).ok() && device.log.empty(), "1 was used last");
    KILN_CHECK(cache->read(2).ok() && device.log.size() == 1, "2 was idle for the longest");
    clay::BlockRef held[8];
    for (uint64_t number = 0; number < 8; ++number) {
      held[number] = cache->read(10 + number).take();
    }
    KILN_CHECK(device.byte(0) == 1, "the dirty block has made room");
    KILN_CHECK(cache->read(20).failed_with(clay::Error::kBusy), "all are pinned");
  });
}

} // namespace
} // namespace kiln::test
