// Random facts: the graph's verdicts against plain enumeration, and the way back to the booted
// state.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "sim/prng.h"
#include "tests/sim/lock_graph_model.h"

namespace kiln::sim {
namespace {

constexpr const char* kNames[] = {"a", "b", "c", "d", "e", "f"};

struct Fact {
  unsigned from;
  unsigned to;
  LockFact fact;
};

Fact random_fact(Prng& random, unsigned classes, unsigned usages_in_ten) {
  auto from = static_cast<unsigned>(random.below(classes));
  if (random.below(10) < usages_in_ten) {
    return {from, from, usage_fact(static_cast<unsigned>(random.below(8)))};
  }
  auto to = static_cast<unsigned>((from + 1 + random.below(classes - 1)) % classes);
  if (from > to && random.below(4) != 0) {
    std::swap(from, to); // mostly in order, so that graphs grow before they break
  }
  return {from, to, static_cast<LockFact>(random.below(kEdgeKinds))};
}

bool learn(LockOrder& order, const Fact& fact, LockVerdict* broken) {
  auto from = static_cast<uint16_t>(fact.from);
  auto to = static_cast<uint16_t>(fact.to);
  return is_edge(fact.fact) ? order.learn_edge(from, to, fact.fact, 1, 2, broken)
                            : order.learn_usage(from, fact.fact, 3, broken);
}

void add(LockModel& model, const Fact& fact) {
  if (is_edge(fact.fact)) {
    model.add_edge(fact.from, fact.to, fact.fact);
  } else {
    model.add_usage(fact.from, fact.fact);
  }
}

// A chain in a verdict must join up, and be a circle for lock-order.
void check_chain(const LockVerdict& broken) {
  for (unsigned i = 1; i < broken.length; ++i) {
    EXPECT_EQ(broken.chain[i - 1].to, broken.chain[i].from);
    EXPECT_FALSE(taken_recursive(broken.chain[i - 1].fact) && held_shared(broken.chain[i].fact));
  }
  if (broken.rule == Rule::kLockOrder) {
    ASSERT_GT(broken.length, 1);
    EXPECT_EQ(broken.chain[broken.length - 1].to, broken.chain[0].from);
  }
  if (broken.rule == Rule::kLockIrqOrder) {
    ASSERT_GT(broken.length, 0);
    EXPECT_EQ(broken.chain[0].from, broken.irq_class);
    EXPECT_EQ(broken.chain[broken.length - 1].to, broken.other);
  }
  EXPECT_NE(broken.site, 0u);
  EXPECT_NE(broken.other_site, 0u);
}

// Learns until the first broken rule; returns it, or none.
std::optional<Rule> race(uint64_t seed, LockOrder& order) {
  Prng random(seed);
  unsigned classes = 2 + static_cast<unsigned>(random.below(5));
  auto usages = static_cast<unsigned>(random.below(5));
  for (unsigned i = 0; i < classes; ++i) {
    order.add_class(kNames[i]);
  }
  LockModel model;
  uint64_t steps = 1 + random.below(24);
  for (uint64_t step = 0; step < steps; ++step) {
    Fact fact = random_fact(random, classes, usages);
    LockVerdict broken;
    bool well = learn(order, fact, &broken);
    add(model, fact);
    std::set<Rule> deadlocks = model.deadlocks();
    EXPECT_EQ(well, deadlocks.empty()) << "seed " << seed << " step " << step;
    if (!well) {
      EXPECT_TRUE(deadlocks.contains(broken.rule)) << "seed " << seed << " step " << step;
      check_chain(broken);
      return broken.rule;
    }
  }
  return std::nullopt;
}

TEST(LockGraph, AgreesWithEnumeration) {
  std::vector<LockOrder> storage(1);
  std::vector<LockOrder> empty(1);
  unsigned counts[4] = {};
  for (uint64_t seed = 1; seed <= 8'000 && !testing::Test::HasFailure(); ++seed) {
    auto rule = race(seed, storage[0]);
    counts[!rule ? 0 : *rule == Rule::kLockOrder ? 1 : *rule == Rule::kLockIrq ? 2 : 3]++;
    storage[0].restore(empty[0]);
  }
  std::printf("no rule broken %u, lock-order %u, lock-irq %u, lock-irq-order %u\n", counts[0],
              counts[1], counts[2], counts[3]);
  for (unsigned count : counts) {
    EXPECT_GT(count, 300u);
  }
}

std::span<const uint8_t> bytes_of(const std::vector<LockOrder>& order) {
  return {reinterpret_cast<const uint8_t*>(order.data()), sizeof(LockOrder)};
}
bool same_bytes(const std::vector<LockOrder>& a, const std::vector<LockOrder>& b) {
  return std::ranges::equal(bytes_of(a), bytes_of(b));
}

TEST(LockGraph, RestoreBringsBackEveryByte) {
  std::vector<LockOrder> booted(1);
  std::vector<LockOrder> now(1);
  std::vector<LockOrder> scratch(1);
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    std::memset(static_cast<void*>(booted.data()), 0, sizeof(LockOrder));
    race(seed, booted[0]);
    booted[0].seal();
    EXPECT_TRUE(booted[0].learned().empty());
    std::memcpy(static_cast<void*>(now.data()), booted.data(), sizeof(LockOrder));
    now[0].set_rule(Rule::kLockOrder, false);
    now[0].add_class("only in this run");
    Prng random(seed);
    LockVerdict broken;
    for (int i = 0; i < 40; ++i) {
      learn(now[0], random_fact(random, 6, 3), &broken);
    }
    now[0].restore(booted[0]);
    ASSERT_TRUE(same_bytes(now, booted)) << seed;
  }
}

// More facts than the list holds: still judged, and still restored.
TEST(LockGraph, FullListOnlyLosesSites) {
  static char names[LockOrder::kMaxClasses][8];
  std::vector<LockOrder> storage(1);
  std::vector<LockOrder> empty(1);
  LockOrder& order = storage[0];
  for (unsigned i = 0; i < LockOrder::kMaxClasses; ++i) {
    std::snprintf(names[i], sizeof names[i], "n%u", i);
    order.add_class(names[i]);
  }
  LockVerdict broken;
  for (uint16_t to = 1; to < 200; ++to) {
    for (uint16_t from = 0; from < 8 && from < to; ++from) {
      ASSERT_TRUE(order.learn_edge(from, to, LockFact::kEdgeEN, 1, 2, &broken));
    }
  }
  EXPECT_EQ(order.learned().size(), LockOrder::kMaxRecords);
  EXPECT_GT(order.unlisted(), 0u);
  ASSERT_FALSE(order.learn_edge(199, 0, LockFact::kEdgeEN, 1, 2, &broken));
  EXPECT_EQ(broken.other_site, 0u);
  order.restore(empty[0]);
  EXPECT_TRUE(same_bytes(storage, empty));
}

TEST(LockGraph, WeakerFactsAreImplied) {
  std::vector<LockOrder> storage(1);
  LockOrder& order = storage[0];
  order.add_class("a");
  order.add_class("b");
  LockVerdict broken;
  order.learn_edge(0, 1, LockFact::kEdgeSR, 1, 2, &broken);
  order.learn_edge(0, 1, LockFact::kEdgeEN, 3, 4, &broken);
  order.learn_edge(0, 1, LockFact::kEdgeER, 5, 6, &broken);
  order.learn_usage(0, LockFact::kIrqsOnE, 7, &broken);
  order.learn_usage(0, LockFact::kIrqsOnS, 8, &broken);
  EXPECT_EQ(order.learned().size(), 3u);
}

} // namespace
} // namespace kiln::sim
