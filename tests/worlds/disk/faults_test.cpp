// Each fault does what its name says, and the ledger knows of the lies and of nothing else.

#include <gtest/gtest.h>

#include "tests/worlds/disk/disks.h"

namespace kiln::worlds {
namespace {

using test::FaultTape;
using test::Simple;
using test::value_at;

/// A disk with 1 to 8 in its sectors, durable, and one rule.
struct Faulty : Simple {
  explicit Faulty(const FaultRule& rule, DiskShape shape = {.sectors = 8}) : Simple(shape) {
    write(0, {1, 2, 3, 4, 5, 6, 7, 8});
    flush();
    faults.add(rule);
    disk.set_faults(&faults);
  }
  explicit Faulty(FaultKind kind) : Faulty({.kind = kind, .ops = ops_of(kind)}) {}
  const Ledger& ledger() const { return disk.ledger(); }
  void cut_to_nothing() {
    disk.cut(FaultTape({1}).view());
    disk.power_on();
  }
  DiskFaults faults;
};

TEST(DiskFaults, RulesSayWhichWhereWhenAndHowOften) {
  DiskFaults faults;
  faults.add(
      {.kind = FaultKind::kError, .ops = kOnWrite, .first = 4, .last = 5, .skip = 1, .times = 2});
  const auto hit = [&](DiskOp op, uint64_t sector, uint64_t sectors) {
    return faults.next({op, sector, sectors}).kind == FaultKind::kError;
  };
  EXPECT_FALSE(hit(DiskOp::kWrite, 4, 1));
  EXPECT_FALSE(hit(DiskOp::kRead, 4, 1));
  EXPECT_FALSE(hit(DiskOp::kWrite, 0, 4));
  EXPECT_FALSE(hit(DiskOp::kWrite, 6, 1));
  EXPECT_TRUE(hit(DiskOp::kWrite, 0, 5));
  EXPECT_TRUE(hit(DiskOp::kWrite, 5, 9));
  EXPECT_FALSE(hit(DiskOp::kWrite, 5, 1));
  EXPECT_EQ(faults.hits()[static_cast<size_t>(FaultKind::kError)], 2u);
  EXPECT_FALSE(faults.any_lie());
}

TEST(DiskFaults, SomeEndWithThePower) {
  DiskFaults faults;
  faults.add({.ops = kOnFlush, .times = FaultRule::kAlways, .until_power_cycle = true});
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(faults.next({DiskOp::kFlush}).kind, FaultKind::kError);
  }
  faults.power_cycle();
  EXPECT_EQ(faults.next({DiskOp::kFlush}).kind, FaultKind::kNone);
}

TEST(DiskFaults, TheEmptyTapeHasNoneAndSeedsHaveEachKind) {
  const FaultMenu menu{
      .kinds = kHonestFaults | kTimelyFaults | kLies, .sectors = 8, .per_command = 2000};
  FaultTape empty({});
  DiskFaults none;
  none.draw(empty.tape(), menu);
  EXPECT_EQ(none.next({DiskOp::kWrite, 0, 8, true}).kind, FaultKind::kNone);
  uint32_t seen = 0;
  for (uint64_t i = 0; i < 3000; ++i) {
    sim::Tape tape(sim::SeededInput{"faults", 1, i, 2048});
    DiskFaults faults;
    faults.draw(tape, menu);
    for (int command = 0; command < 30; ++command) {
      for (DiskOp op : {DiskOp::kRead, DiskOp::kWrite, DiskOp::kFlush}) {
        seen |= fault_bit(faults.next({op, 0, 8, op == DiskOp::kWrite}).kind);
      }
    }
  }
  EXPECT_EQ(seen & ~1u, kHonestFaults | kTimelyFaults | kLies);
}

TEST(DiskFaults, HonestErrorsBreakNoPromise) {
  Faulty nothing(FaultKind::kError);
  EXPECT_EQ(nothing.write(0, 9), DiskAnswer::kError);
  EXPECT_EQ(nothing.read(0), 1);
  Faulty all(FaultKind::kErrorDone);
  EXPECT_EQ(all.write(0, 9), DiskAnswer::kError);
  EXPECT_EQ(all.read(0), 9);
  Faulty torn(FaultKind::kErrorTorn);
  EXPECT_EQ(torn.write(0, {9, 9, 9, 9}), DiskAnswer::kError);
  int mixed = 0;
  for (uint64_t i = 0; i < 4; ++i) {
    mixed += torn.read(i) == -2 ? 1 : 0;
  }
  EXPECT_EQ(mixed, 1);
  for (const Faulty* faulty : {&nothing, &all, &torn}) {
    EXPECT_TRUE(faulty->ledger().clean());
  }
}

TEST(DiskFaults, PartsAreTheFirstSectorsAndAShortCountSaysSo) {
  for (FaultKind kind : {FaultKind::kErrorPartly, FaultKind::kShort}) {
    Faulty faulty({.kind = kind, .times = FaultRule::kAlways});
    for (int i = 0; i < 12; ++i) {
      const DiskAnswer answer = faulty.write(0, {9, 9, 9, 9});
      EXPECT_EQ(answer, kind == FaultKind::kShort ? DiskAnswer::kOk : DiskAnswer::kError);
      const uint64_t moved = faulty.disk.moved();
      ASSERT_LT(moved, 4u);
      std::vector<uint8_t> now(8 * 512);
      faulty.disk.peek(0, now);
      EXPECT_EQ(now[3 * 512], 4);
      if (moved != 0) {
        EXPECT_EQ(now[(moved - 1) * 512], 9);
      }
    }
    EXPECT_TRUE(faulty.ledger().clean());
  }
}

TEST(DiskFaults, AnUnreadableSectorStaysSoUntilItIsWritten) {
  Faulty faulty(FaultKind::kUnreadable);
  EXPECT_EQ(faulty.read(3), -1);
  EXPECT_EQ(faulty.read(3), -1);
  EXPECT_EQ(faulty.read(4), 5);
  EXPECT_TRUE(faulty.ledger().broken(3));
  faulty.write(3, 9);
  EXPECT_EQ(faulty.read(3), 9);
  faulty.flush();
  EXPECT_TRUE(faulty.ledger().clean());
}

TEST(DiskFaults, ALyingFlushHurtsOnlyWhatACutTakes) {
  Faulty faulty(FaultKind::kLyingFlush);
  faulty.write(1, 9);
  EXPECT_EQ(faulty.flush(), DiskAnswer::kOk);
  faulty.write(2, 9);
  EXPECT_TRUE(faulty.ledger().clean());
  Simple lucky(faulty.disk.fork());
  lucky.disk.cut(FaultTape({}).view());
  EXPECT_TRUE(lucky.disk.ledger().clean());
  Simple mended(faulty.disk.fork());
  mended.flush();
  mended.disk.cut(FaultTape({1}).view());
  EXPECT_TRUE(mended.disk.ledger().clean());
  faulty.cut_to_nothing();
  EXPECT_EQ(faulty.ledger().how(1), FaultKind::kLyingFlush);
  EXPECT_FALSE(faulty.ledger().broken(2)); // nobody has promised that
}

TEST(DiskFaults, ALyingFuaIsOnlyInTheCache) {
  Faulty faulty(FaultKind::kLyingDurable);
  faulty.write(1, 9, true);
  faulty.write(1, 10);
  EXPECT_EQ(faulty.read(1), 10);
  Simple newer(faulty.disk.fork());
  const CrashStates states(newer.disk);
  ASSERT_EQ(states.count(), 3u);
  newer.disk.cut(states.state(0));
  EXPECT_TRUE(newer.disk.ledger().clean());
  faulty.cut_to_nothing();
  EXPECT_EQ(faulty.read(1), 2);
  EXPECT_EQ(faulty.ledger().how(1), FaultKind::kLyingDurable);
}

TEST(DiskFaults, ADroppedWriteIsMendedByTheNextThatLands) {
  Faulty faulty({.kind = FaultKind::kDropped, .ops = kOnWrite, .skip = 1});
  faulty.write(1, 9);
  EXPECT_EQ(faulty.write(1, {10, 10}), DiskAnswer::kOk);
  EXPECT_EQ(faulty.read(1), 9);
  EXPECT_EQ(faulty.read(2), 3);
  EXPECT_TRUE(faulty.ledger().broken_in(0, 2));
  EXPECT_FALSE(faulty.ledger().broken_in(3, 5));
  faulty.flush(); // what lands is older than what was dropped
  EXPECT_TRUE(faulty.ledger().broken(1));
  faulty.write(1, 11);
  EXPECT_TRUE(faulty.ledger().broken(1));
  faulty.flush();
  EXPECT_FALSE(faulty.ledger().broken(1));
  EXPECT_TRUE(faulty.ledger().broken(2));
}

TEST(DiskFaults, AMisdirectedWriteHurtsBothPlaces) {
  Faulty faulty(FaultKind::kMisdirectedWrite);
  EXPECT_EQ(faulty.write(3, 9), DiskAnswer::kOk);
  EXPECT_EQ(faulty.read(3), 4);
  int at = -1;
  for (int i = 0; i < 8; ++i) {
    if (faulty.read(static_cast<uint64_t>(i)) == 9) at = i;
  }
  ASSERT_GE(at, 0);
  EXPECT_NE(at, 3);
  EXPECT_EQ(faulty.ledger().entries().size(), 2u);
  EXPECT_TRUE(faulty.ledger().broken(static_cast<uint64_t>(at)));
  faulty.flush(); // also when it comes to the medium
  EXPECT_EQ(faulty.ledger().entries().size(), 2u);
}

TEST(DiskFaults, LyingReadsLeaveTheMediumAlone) {
  for (FaultKind kind :
       {FaultKind::kMisdirectedRead, FaultKind::kStaleRead, FaultKind::kGarbageRead}) {
    Faulty faulty(kind);
    faulty.write(2, 9);
    EXPECT_NE(faulty.read(2), 9) << name_of(kind);
    EXPECT_EQ(faulty.read(2), 9);
    EXPECT_TRUE(faulty.ledger().lied_to_reader());
    EXPECT_TRUE(faulty.ledger().entries().empty());
  }
  Faulty flushed(FaultKind::kStaleRead);
  flushed.write(2, 9);
  flushed.flush();
  EXPECT_EQ(flushed.read(2), 3);
}

TEST(DiskFaults, DamageAtRestIsKnown) {
  Simple disk({.sectors = 8});
  disk.write(0, {1, 2, 3, 4, 5, 6, 7, 8});
  disk.flush();
  disk.disk.damage(FaultKind::kBitRot, 0, 12);
  EXPECT_EQ(disk.read(0), -2);
  disk.disk.damage(FaultKind::kZeroed, 1);
  EXPECT_EQ(disk.read(1), 0);
  disk.disk.damage(FaultKind::kSwapped, 2);
  EXPECT_EQ(disk.read(2), 4);
  EXPECT_EQ(disk.read(3), 3);
  disk.disk.damage(FaultKind::kUnreadable, 5);
  EXPECT_EQ(disk.read(5), -1);
  EXPECT_EQ(disk.disk.ledger().entries().size(), 5u);
  EXPECT_FALSE(disk.disk.ledger().broken(4));
}

TEST(DiskFaults, ARemovedDiskMayHaveWrittenAndComesBack) {
  Faulty faulty(FaultKind::kGone);
  EXPECT_EQ(faulty.write(1, {9, 9}), DiskAnswer::kGone);
  EXPECT_FALSE(faulty.disk.present());
  EXPECT_EQ(faulty.read(1), -1);
  faulty.disk.insert();
  const int now = faulty.read(1);
  EXPECT_TRUE(now == 2 || now == 9) << now;
  EXPECT_TRUE(faulty.ledger().clean());
}

} // namespace
} // namespace kiln::worlds
