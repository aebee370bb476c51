// What a disk promises, and what a cut of the power leaves of it.

#include <gtest/gtest.h>
#include <set>

#include "tests/worlds/disk/disks.h"

namespace kiln::worlds {
namespace {

using test::FaultTape;
using test::Simple;
using test::value_at;

/// What a sector can be after a cut.
std::set<int> values_after_cut(const Disk& disk, uint64_t sector) {
  const CrashStates states(disk);
  for (size_t i = 0; i < states.sectors(); ++i) {
    if (states.sector(i) != sector) continue;
    std::set<int> values;
    for (size_t option = 0; option < states.options(i); ++option) {
      values.insert(Simple::one({states.bytes(i, option), disk.shape().sector_bytes}));
    }
    return values;
  }
  return {value_at(disk.medium(), sector)};
}

TEST(Disk, ReadsSeeTheCacheAndAFlushMakesItDurable) {
  Simple disk({.sectors = 16});
  EXPECT_EQ(disk.write(3, {1, 2}), DiskAnswer::kOk);
  EXPECT_EQ(disk.disk.moved(), 2u);
  EXPECT_EQ(disk.read(4), 2);
  EXPECT_EQ(value_at(disk.disk.medium(), 4), 0);
  EXPECT_EQ(values_after_cut(disk.disk, 4), (std::set<int>{0, 2}));
  disk.write(4, 3);
  EXPECT_EQ(values_after_cut(disk.disk, 4), (std::set<int>{0, 2, 3}));
  EXPECT_EQ(disk.flush(), DiskAnswer::kOk);
  EXPECT_EQ(values_after_cut(disk.disk, 4), std::set<int>{3});
  EXPECT_TRUE(disk.disk.pending().empty());
}

TEST(Disk, AFlushConcernsWhatWasAnsweredBeforeItBegan) {
  Simple disk({.sectors = 16});
  disk.write(1, 1);
  std::vector<uint8_t> late = disk.filled({2});
  const auto write = disk.disk.begin({DiskOp::kWrite, 2, 1}, late);
  const auto flush = disk.disk.begin({DiskOp::kFlush}, {});
  EXPECT_EQ(disk.disk.finish(write), DiskAnswer::kOk);
  disk.write(1, 3);
  EXPECT_EQ(disk.disk.finish(flush), DiskAnswer::kOk);
  EXPECT_EQ(values_after_cut(disk.disk, 1), (std::set<int>{1, 3}));
  EXPECT_EQ(values_after_cut(disk.disk, 2), (std::set<int>{0, 2}));
  EXPECT_EQ(disk.read(2), 2);
}

TEST(Disk, AWriteUnderWayIsThereOrNotSectorBySector) {
  Simple disk({.sectors = 16});
  std::vector<uint8_t> bytes = disk.filled({1, 2, 3});
  disk.disk.begin({DiskOp::kWrite, 5, 3}, bytes);
  EXPECT_EQ(CrashStates(disk.disk).count(), 8u);
  EXPECT_EQ(disk.read(5), 0);
}

TEST(Disk, FuaIsDurableAloneAndTakesItsOwnSectorsHistoryAlong) {
  Simple disk({.sectors = 16});
  disk.write(1, 1);
  disk.write(2, 1);
  disk.write(1, 2, true);
  EXPECT_EQ(values_after_cut(disk.disk, 1), std::set<int>{2});
  EXPECT_EQ(values_after_cut(disk.disk, 2), (std::set<int>{0, 1}));
}

TEST(Disk, PreflushComesBeforeItsWrite) {
  Simple disk({.sectors = 16});
  disk.write(1, 1);
  std::vector<uint8_t> bytes = disk.filled({2});
  DiskCommand command{DiskOp::kWrite, 2, 1};
  command.flush_first = true;
  EXPECT_EQ(disk.disk.perform(command, bytes), DiskAnswer::kOk);
  EXPECT_EQ(values_after_cut(disk.disk, 1), std::set<int>{1});
  EXPECT_EQ(values_after_cut(disk.disk, 2), (std::set<int>{0, 2}));
  command.durable = true;
  disk.write(1, 3);
  disk.disk.perform(command, bytes);
  EXPECT_EQ(values_after_cut(disk.disk, 1), std::set<int>{3});
  EXPECT_EQ(values_after_cut(disk.disk, 2), std::set<int>{2});
}

TEST(Disk, WithoutACacheWritesAreDurableAtOnce) {
  Simple disk({.sectors = 16, .volatile_cache = false, .has_discard = true});
  disk.write(1, 1);
  EXPECT_EQ(values_after_cut(disk.disk, 1), std::set<int>{1});
  EXPECT_EQ(disk.disk.perform({DiskOp::kDiscard, 1, 2}, {}), DiskAnswer::kOk);
  EXPECT_EQ(disk.read(2), kDiscarded);
}

/// What each sector can be after a cut, kept the plain way: every value that was written since it
/// was last certain.
class Possible {
 public:
  void write(uint64_t sector, int value, bool durable) {
    if (durable) {
      values_[sector] = {value};
    } else {
      values_[sector].push_back(value);
    }
  }
  using Marks = std::vector<size_t>;
  /// A flush begins: so much of each sector's past it will make certain.
  Marks mark() const {
    Marks marks;
    for (const auto& values : values_) {
      marks.push_back(values.size());
    }
    return marks;
  }
  void flush(const Marks& marks, const std::set<uint64_t>& rewritten) {
    for (size_t i = 0; i < marks.size(); ++i) {
      if (rewritten.contains(i)) continue; // by FUA since: certain already
      values_[i].erase(values_[i].begin(), values_[i].begin() + static_cast<long>(marks[i]) - 1);
    }
  }
  std::set<int> of(uint64_t sector) const {
    return {values_[sector].begin(), values_[sector].end()};
  }
  int newest(uint64_t sector) const { return values_[sector].back(); }

 private:
  std::vector<std::vector<int>> values_ = std::vector<std::vector<int>>(6, {0});
};

TEST(Disk, KeepsAndLosesExactlyWhatItMay) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    sim::Prng prng(seed);
    Simple disk({.sectors = 6, .volatile_cache = seed % 7 != 0});
    Possible possible;
    std::optional<Disk::CommandId> flush;
    Possible::Marks marks;
    std::set<uint64_t> rewritten;
    for (int step = 0; step < 40; ++step) {
      const uint64_t sector = prng.below(5);
      const auto value = static_cast<uint8_t>(1 + prng.below(200));
      const bool durable = prng.below(5) == 0 || !disk.disk.shape().volatile_cache;
      switch (prng.below(4)) {
      case 0:
        if (flush) {
          disk.disk.finish(*flush);
          possible.flush(marks, rewritten);
          flush.reset();
        } else {
          flush = disk.disk.begin({DiskOp::kFlush}, {});
          marks = possible.mark();
          rewritten.clear();
        }
        break;
      default:
        disk.write(sector, {value, value}, durable);
        for (uint64_t at : {sector, sector + 1}) {
          possible.write(at, value, durable);
          if (durable) rewritten.insert(at);
        }
      }
      ASSERT_EQ(disk.read(sector), possible.newest(sector));
    }
    for (uint64_t sector = 0; sector < 6; ++sector) {
      ASSERT_EQ(values_after_cut(disk.disk, sector), possible.of(sector)) << seed;
    }
  }
}

TEST(Disk, RefusesWhatItIsNotAndWhatIsNotThere) {
  Simple disk({.sectors = 16, .most_sectors = 4, .has_durable_write = false});
  std::vector<uint8_t> bytes(16 * 512);
  const auto answer = [&](uint64_t sector, uint64_t sectors) {
    return disk.disk.perform({DiskOp::kRead, sector, sectors},
                             std::span(bytes).first(std::min<size_t>(sectors, 16) * 512));
  };
  EXPECT_EQ(answer(12, 4), DiskAnswer::kOk);
  EXPECT_EQ(answer(13, 4), DiskAnswer::kOutOfRange);
  EXPECT_EQ(answer(0, 5), DiskAnswer::kOutOfRange);
  EXPECT_EQ(answer(0, 0), DiskAnswer::kOutOfRange);
  EXPECT_EQ(answer(UINT64_MAX, 2), DiskAnswer::kOutOfRange);
  EXPECT_EQ(disk.write(0, 1, true), DiskAnswer::kUnsupported);
  EXPECT_EQ(disk.disk.perform({DiskOp::kDiscard, 0, 1}, {}), DiskAnswer::kUnsupported);
  Simple empty({.sectors = 0});
  EXPECT_EQ(empty.read(0), -1);
  EXPECT_EQ(empty.flush(), DiskAnswer::kOk);
  Simple fixed({.sectors = 4, .read_only = true});
  EXPECT_EQ(fixed.write(0, 1), DiskAnswer::kUnsupported);
  EXPECT_EQ(fixed.read(0), 0);
  Simple huge({.sectors = UINT64_MAX});
  EXPECT_EQ(huge.write(UINT64_MAX - 1, 7), DiskAnswer::kOk);
  EXPECT_EQ(huge.write(UINT64_MAX, 7), DiskAnswer::kOutOfRange);
  huge.flush();
  EXPECT_EQ(huge.read(UINT64_MAX - 1), 7);
}

TEST(Disk, ACutTakesWhatTheTapeSaysAndZerosKeepAll) {
  Simple disk({.sectors = 16});
  disk.write(1, 1);
  disk.write(2, 2);
  Simple other(disk.disk.fork());
  disk.disk.cut(FaultTape({}).view());
  EXPECT_EQ(disk.write(3, 3), DiskAnswer::kGone);
  EXPECT_EQ(disk.flush(), DiskAnswer::kGone);
  disk.disk.power_on();
  EXPECT_EQ(disk.read(1), 1);
  EXPECT_EQ(disk.read(2), 2);
  EXPECT_TRUE(disk.disk.pending().empty());
  other.disk.cut(FaultTape({1}).view());
  other.disk.power_on();
  EXPECT_EQ(other.read(1), 0);
  EXPECT_EQ(other.read(2), 0);
}

TEST(Disk, TheTapeReachesEveryCrashState) {
  Simple disk({.sectors = 16});
  disk.write(1, {1, 2});
  disk.write(2, {3, 4});
  const CrashStates states(disk.disk);
  EXPECT_EQ(states.count(), 2u * 3u * 2u);
  std::set<uint64_t> all;
  for (uint64_t k = 0; k < states.count(); ++k) {
    EXPECT_EQ(states.state(k).hash(), states.hash(k));
    all.insert(states.hash(k));
  }
  EXPECT_EQ(all.size(), states.count());
  std::set<uint64_t> drawn;
  for (int i = 0; i < 4000; ++i) {
    sim::Tape tape(sim::SeededInput{"disk", 1, static_cast<uint64_t>(i), 256});
    const Medium found = states.draw(tape.fault());
    drawn.insert(found.hash());
    ASSERT_TRUE(all.contains(found.hash()));
  }
  EXPECT_EQ(drawn, all);
}

TEST(Disk, AnArmedCutGoesOffInsideACommand) {
  for (uint64_t sectors = 0; sectors < 6; ++sectors) {
    Simple disk({.sectors = 16});
    FaultTape tape({1}); // nothing of what is pending is found
    disk.disk.cut_after(sectors, tape.tape());
    EXPECT_EQ(disk.write(0, {1, 1}), sectors < 2 ? DiskAnswer::kGone : DiskAnswer::kOk);
    EXPECT_EQ(disk.flush(), sectors < 3 ? DiskAnswer::kGone : DiskAnswer::kOk);
    EXPECT_EQ(disk.write(4, {2, 2}), sectors < 5 ? DiskAnswer::kGone : DiskAnswer::kOk);
    EXPECT_EQ(disk.flush(), DiskAnswer::kGone);
    disk.disk.power_on();
    EXPECT_EQ(disk.read(1), sectors < 3 ? 0 : 1);
    EXPECT_EQ(disk.read(4), 0);
  }
}

TEST(Disk, TheWatchSeesAllThatACutCouldHaveLeft) {
  Simple disk({.sectors = 16});
  std::vector<uint64_t> counts;
  disk.disk.watch(
      [](const Disk& now, void* arg) {
        static_cast<std::vector<uint64_t>*>(arg)->push_back(CrashStates(now).count());
      },
      &counts);
  disk.flush();
  disk.write(1, {1, 2});
  disk.flush();
  disk.write(1, 1);
  disk.write(1, 5);
  disk.write(3, 6, true);
  disk.flush();
  EXPECT_EQ(counts, (std::vector<uint64_t>{4, 4, 2}));
}

TEST(Disk, TornSectorsAreNeitherOldNorNewAndStandInTheLedger) {
  Simple disk({.sectors = 8});
  disk.write(0, {1, 1});
  disk.flush();
  disk.write(0, {2, 2});
  const CrashStates garbage(disk.disk, TornSectors::kGarbage);
  EXPECT_EQ(garbage.count(), 9u);
  EXPECT_EQ(value_at(garbage.state(1), 0), -2);
  EXPECT_EQ(garbage.state(1).hash(), garbage.hash(1));
  const CrashStates lost(disk.disk, TornSectors::kUnreadable);
  EXPECT_FALSE(lost.state(3).readable(1));
  FaultTape tape({0, 1, 0}); // all, and the last one torn
  disk.disk.cut(tape.view(), TornSectors::kUnreadable);
  disk.disk.power_on();
  EXPECT_EQ(disk.read(0), 2);
  EXPECT_EQ(disk.read(1), -1);
  EXPECT_TRUE(disk.disk.ledger().broken(1));
  EXPECT_FALSE(disk.disk.ledger().broken(0));
  disk.write(1, 3, true);
  EXPECT_EQ(disk.read(1), 3);
  EXPECT_TRUE(disk.disk.ledger().clean());
}

TEST(Disk, ComesBackInAnotherSize) {
  Simple disk({.sectors = 16});
  disk.write(0, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  disk.flush();
  disk.disk.cut(FaultTape({}).view());
  disk.disk.power_on({.sectors = 4});
  EXPECT_EQ(disk.read(3), 4);
  EXPECT_EQ(disk.read(4), -1);
  disk.disk.power_on({.sectors = 1, .sector_bytes = 1024});
  EXPECT_EQ(disk.read(0), -2);
}

TEST(Disk, RemovalEndsEverythingUnderWay) {
  Simple disk({.sectors = 16});
  std::vector<uint8_t> bytes = disk.filled({1});
  const auto id = disk.disk.begin({DiskOp::kWrite, 2, 1}, bytes);
  disk.disk.remove(FaultTape({}).view());
  EXPECT_EQ(disk.disk.finish(id), DiskAnswer::kGone);
  EXPECT_EQ(disk.write(1, 1), DiskAnswer::kGone);
  disk.disk.insert();
  EXPECT_EQ(disk.read(2), 1);
  EXPECT_EQ(disk.write(1, 1), DiskAnswer::kOk);
}

TEST(Disk, TheLogTellsWhoWroteWhat) {
  Simple disk({.sectors = 16});
  disk.disk.set_tag("inode");
  disk.write(1, {1, 2});
  disk.disk.log().mark("fsync %lu", 7);
  disk.flush();
  disk.disk.cut(FaultTape({}).view());
  EXPECT_EQ(disk.disk.log().text(), "   0  write   1 +2   (inode)\n"
                                    "   1  --- fsync 7\n"
                                    "   2  flush     (inode)\n"
                                    "   3  === power lost: of 0 pending sectors 0 are not found as "
                                    "last written\n");
}

} // namespace
} // namespace kiln::worlds
