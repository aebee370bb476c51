// A request queue over a simulated disk: what was written is read, whatever the order of answers;
// every trouble that the port can make is met and survived.

#include <cstring>
#include <gtest/gtest.h>

#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "targets/block/direct_device.h"
#include "targets/block/disk_port.h"
#include "tests/support/counters.h"
#include "tests/support/in_machine.h"

namespace kiln::block {
namespace {

using clay::Result;

constexpr uint64_t kSectors = 24;
constexpr uint32_t kBytes = 512;

/// Counted over many runs.
struct Totals {
  DiskPort::Counts port;
  uint64_t failed;  ///< requests
  uint64_t removed; ///< disks
};

Totals& totals() { return *reinterpret_cast<Totals*>(test::counters().data()); }

/// Each task has sectors of its own, and knows what it wrote there last: -1 is anything.
void work(clay::BlockDevice& device, sim::Run& run, uint64_t first) {
  int values[8] = {};
  auto data = run.tape.data();
  for (int step = 0; step < 12; ++step) {
    const uint64_t at = data.below(8);
    const uint64_t count = 1 + data.below(8 - at);
    uint8_t bytes[8 * kBytes];
    const clay::MutableBytes memory(bytes, static_cast<size_t>(count) * kBytes);
    switch (data.below(3)) {
    case 0: {
      const auto value = static_cast<uint8_t>(1 + data.below(200));
      std::memset(bytes, value, sizeof(bytes));
      const Result<> done = device.write(first + at, memory, data.boolean());
      for (uint64_t i = at; i < at + count; ++i) {
        values[i] = done.ok() ? value : -1;
      }
      break;
    }
    case 1: {
      if (!device.read(first + at, memory).ok()) {
        ++totals().failed;
        break;
      }
      for (uint64_t i = 0; i < count; ++i) {
        const int want = values[at + i];
        KILN_CHECK(want < 0 || bytes[i * kBytes] == want, "sector %lu holds %u, not %d",
                   first + at + i, bytes[i * kBytes], want);
      }
      break;
    }
    default:
      totals().failed += device.flush().ok() ? 0 : 1;
    }
  }
}

struct Trouble {
  uint32_t kinds = 0;
  bool refuses = false;
  bool pulled = false;
};

void add_counts(const DiskPort::Counts& counts) {
  const auto* from = reinterpret_cast<const uint64_t*>(&counts);
  auto* to = reinterpret_cast<uint64_t*>(&totals().port);
  for (size_t i = 0; i < sizeof(counts) / sizeof(uint64_t); ++i) {
    to[i] += from[i];
  }
}

void drive(sim::Run& run, const Trouble& trouble) {
  constexpr unsigned kLine = 9;
  run.machine.set_cpus(2);
  worlds::DiskFaults faults;
  faults.draw(run.tape, {.kinds = trouble.kinds, .most_rules = 3, .horizon = 16});
  worlds::Disk disk({.sectors = kSectors, .most_sectors = 4, .most_segments = 3});
  disk.set_faults(&faults);
  DiskPort port(disk, run, {.cpu = 1, .line = kLine, .may_refuse = trouble.refuses});
  auto queue = clay::RequestQueue::create(port, shape_of(disk.shape()), {.slots = 3});
  KILN_CHECK(queue.ok(), "no queue");
  port.connect(*queue.value());
  clay::BlockDevice& device = *queue.value();
  clay::Task tasks[3];
  for (uint64_t i = 0; i < 3; ++i) {
    auto task = clay::Task::spawn("worker", [&device, &run, i] { work(device, run, i * 8); });
    KILN_CHECK(task.ok(), "no task");
    tasks[i] = std::move(task).value();
  }
  if (trouble.pulled && run.tape.fault().boolean()) {
    clay::sleep_for(run.tape.fault().below(2'000'000));
    port.pull();
    ++totals().removed;
  }
  for (clay::Task& task : tasks) {
    task.join();
  }
  queue.value()->stop();
  port.disconnect();
  add_counts(port.counts());
}

void expect_good(test::Body body, uint64_t inputs) {
  test::clear_counters();
  for (uint64_t input = 0; input < inputs; ++input) {
    const sim::Outcome outcome = test::run_seeded(body, input);
    ASSERT_FALSE(outcome.found) << input << ": " << outcome.finding.headline;
  }
}

TEST(DiskPort, AnswersInAnyOrderAndLosesNothing) {
  expect_good([](sim::Run& run) { drive(run, {}); }, 60);
  const DiskPort::Counts& port = totals().port;
  EXPECT_GT(port.overtaken, 0u);
  EXPECT_GT(port.at_once, 0u);
  EXPECT_EQ(port.errors + port.never, 0u);
  // A schedule may jump to the queue's time-out while an answer waits for its interrupt: the CPU
  // was away for half a minute. Nothing else asks for a reset.
  EXPECT_LE(totals().failed, port.started - port.answered);
  EXPECT_LT(port.started - port.answered, port.started / 100);
}

TEST(DiskPort, MakesEveryTroubleAndTheQueueLivesWithIt) {
  expect_good(
      [](sim::Run& run) {
        const uint32_t kinds = worlds::kHonestFaults | worlds::kTimelyFaults;
        drive(run, {.kinds = kinds, .refuses = true, .pulled = true});
      },
      300);
  const DiskPort::Counts& port = totals().port;
  EXPECT_GT(port.never, 0u);
  EXPECT_GT(port.twice, 0u);
  EXPECT_GT(port.late, 0u);
  EXPECT_GT(port.shorter, 0u);
  EXPECT_GT(port.errors, 0u);
  EXPECT_GT(port.resets, 0u);
  EXPECT_GT(port.lost, 0u);
  EXPECT_GT(port.refused, 0u);
  EXPECT_GT(totals().removed, 0u);
  EXPECT_GT(totals().failed, 0u);
}

/// The direct device: the same promises, and no wait.
void drive_direct(sim::Run& run) {
  worlds::DiskFaults faults;
  faults.draw(run.tape, {.kinds = worlds::kHonestFaults, .horizon = 16});
  worlds::Disk disk({.sectors = kSectors, .most_sectors = 3, .has_durable_write = false});
  disk.set_faults(&faults);
  DirectDevice device(disk);
  work(device, run, 0);
  uint8_t sector[kBytes] = {};
  KILN_CHECK(device.read(kSectors, sector).error() == clay::Error::kOutOfRange, "beyond the end");
  faults.stop();
  sector[0] = 7;
  KILN_CHECK(device.write(3, sector, true).ok() && disk.pending().empty(),
             "a durable write is in the cache");
  disk.remove(run.tape.fault());
  KILN_CHECK(device.read(3, sector).error() == clay::Error::kNoDevice, "a removed disk answers");
}

TEST(DirectDevice, KeepsThePromisesOfBlockDevices) {
  expect_good(drive_direct, 300);
  EXPECT_GT(totals().failed, 0u);
}

} // namespace
} // namespace kiln::block
