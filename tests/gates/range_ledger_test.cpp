#include <gtest/gtest.h>
#include <random>
#include <set>

#include "gates/run/range_ledger.h"
#include "gates/support/digest_fold.h"

namespace kiln::gates {
namespace {

// Inputs whose digest is a function of their number; some end in findings.
struct World {
  std::set<uint64_t> stopping;  ///< inputs with a finding that stops
  std::set<uint64_t> tolerated; ///< inputs with a finding that does not

  Part work(const Chunk& chunk, uint64_t most) const {
    Part part;
    part.begin = chunk.begin;
    part.end = chunk.begin;
    DigestFold fold;
    while (part.end < chunk.end && part.end - part.begin < most) {
      uint64_t i = part.end++;
      fold.add(i, i * 77);
      if (tolerated.contains(i)) note(part, 5, i);
      if (stopping.contains(i)) {
        note(part, 9, i);
        break;
      }
    }
    part.fold = fold.value();
    part.probes = {{part.end - part.begin, part.begin}};
    return part;
  }
  static void note(Part& part, uint64_t key, uint64_t iteration) {
    for (RangeFinding& finding : part.findings) {
      if (finding.key == key) {
        ++finding.seen;
        return;
      }
    }
    part.findings.push_back({key, iteration, 0, 1, {}});
  }
};

uint64_t fold_of(uint64_t begin, uint64_t end) {
  DigestFold fold;
  for (uint64_t i = begin; i < end; ++i)
    fold.add(i, i * 77);
  return fold.value();
}

struct Result {
  RangeTotals totals;
  std::vector<RangeFinding> findings;
};

// `workers` chunks are out at a time and come back in random order, sometimes half done.
Result drive(const World& world, uint64_t inputs, unsigned workers, uint64_t seed) {
  std::mt19937_64 random(seed);
  RangeLedger ledger(0, inputs);
  std::vector<Chunk> out;
  Result result;
  while (true) {
    while (out.size() < workers) {
      auto chunk = ledger.take(1 + random() % 40);
      if (!chunk.has_value()) break;
      out.push_back(*chunk);
    }
    if (out.empty()) break;
    size_t which = random() % out.size();
    Chunk chunk = out[which];
    out.erase(out.begin() + static_cast<long>(which));
    Part part = world.work(chunk, random() % 3 == 0 ? random() % 20 : UINT64_MAX);
    uint64_t stop = UINT64_MAX;
    for (const RangeFinding& finding : part.findings) {
      if (finding.key == 9) stop = finding.iteration;
    }
    ledger.give_back(chunk, std::move(part), stop);
    for (const RangeFinding& finding : ledger.take_final())
      result.findings.push_back(finding);
  }
  EXPECT_TRUE(ledger.finished());
  result.totals = ledger.totals();
  return result;
}

TEST(RangeLedger, EveryInputCountsOnceWhateverTheWorkers) {
  for (unsigned workers : {1u, 2u, 7u}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Result result = drive({}, 1000, workers, seed);
      EXPECT_EQ(result.totals.inputs, 1000u);
      EXPECT_EQ(result.totals.fold, fold_of(0, 1000));
      EXPECT_EQ(result.totals.probes, (std::vector<ProbeHits>{{1000, 0}}));
    }
  }
}

TEST(RangeLedger, TheLowestStoppingInputWins) {
  World world{{613, 700, 701, 999}, {}};
  for (unsigned workers : {1u, 2u, 5u, 16u}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Result result = drive(world, 1000, workers, seed);
      ASSERT_EQ(result.findings.size(), 1u);
      EXPECT_EQ(result.findings[0].iteration, 613u);
      EXPECT_EQ(result.totals.inputs, 614u);
      EXPECT_EQ(result.totals.fold, fold_of(0, 614));
      EXPECT_EQ(result.totals.seen.at(9), 1u);
    }
  }
}

TEST(RangeLedger, FindingsThatDoNotStopAreCountedAndKeepTheirLowestInput) {
  World world{{}, {3, 4, 500, 998}};
  for (unsigned workers : {1u, 3u, 8u}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Result result = drive(world, 1000, workers, seed);
      ASSERT_EQ(result.findings.size(), 1u);
      EXPECT_EQ(result.findings[0].iteration, 3u);
      EXPECT_EQ(result.totals.seen.at(5), 4u);
      EXPECT_EQ(result.totals.inputs, 1000u);
    }
  }
}

TEST(RangeLedger, NothingAboveTheFrontierCounts) {
  RangeLedger ledger(0, 100);
  Chunk low = *ledger.take(10);
  Chunk high = *ledger.take(10);
  ledger.give_back(high, World{}.work(high, UINT64_MAX));
  EXPECT_EQ(ledger.totals().inputs, 0u);
  EXPECT_EQ(ledger.frontier(), 0u);
  ledger.give_back(low, World{}.work(low, UINT64_MAX));
  EXPECT_EQ(ledger.frontier(), 20u);
  EXPECT_EQ(ledger.totals().inputs, 20u);
}

TEST(RangeLedger, WhatWasLeftIsHandedOutFirst) {
  RangeLedger ledger(0, 100);
  Chunk chunk = *ledger.take(10);
  ledger.give_back(chunk, World{}.work(chunk, 4));
  Chunk rest = *ledger.take(100);
  EXPECT_EQ(rest.begin, 4u);
  EXPECT_EQ(rest.end, 10u);
}

TEST(RangeLedger, AStopDropsWhatIsAboveIt) {
  RangeLedger ledger(0, 100);
  Chunk low = *ledger.take(10);
  Chunk done = *ledger.take(10);
  Chunk out = *ledger.take(10);
  ledger.give_back(done, World{}.work(done, UINT64_MAX));
  // The last input of its chunk: what was done right behind it must not slip in.
  ledger.give_back(low, World{}.work(low, UINT64_MAX), 9);
  EXPECT_FALSE(ledger.take(1).has_value());
  EXPECT_FALSE(ledger.finished());
  ledger.give_back(out, World{}.work(out, UINT64_MAX));
  EXPECT_TRUE(ledger.finished());
  EXPECT_EQ(ledger.totals().inputs, 10u);
}

TEST(RangeLedger, ClosedWithHolesItCountsWhatWasDone) {
  RangeLedger ledger(0, UINT64_MAX);
  Chunk a = *ledger.take(10);
  Chunk b = *ledger.take(10);
  ledger.close();
  EXPECT_FALSE(ledger.take(1).has_value());
  ledger.give_back(b, World{{}, {15}}.work(b, UINT64_MAX));
  ledger.give_back(a, World{}.work(a, 3));
  EXPECT_TRUE(ledger.finished());
  EXPECT_EQ(ledger.totals().inputs, 13u);
  ASSERT_EQ(ledger.take_final().size(), 1u);
}

TEST(RangeLedger, ARangeNeedNotBeginAtZero) {
  RangeLedger ledger(40, 50);
  Chunk chunk = *ledger.take(100);
  EXPECT_EQ(chunk.begin, 40u);
  EXPECT_EQ(chunk.end, 50u);
  ledger.give_back(chunk, World{}.work(chunk, UINT64_MAX));
  EXPECT_TRUE(ledger.finished());
}

} // namespace
} // namespace kiln::gates
