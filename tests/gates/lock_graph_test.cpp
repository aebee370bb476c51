// Joining lock facts of many inputs.

#include <gtest/gtest.h>

#include "gates/finding/lock_graph.h"

namespace kiln::gates {
namespace {

using sim::LockEdge;
using sim::LockFact;

LockEdge edge(const char* from, const char* to, LockFact fact = LockFact::kEdgeEN) {
  return {from, to, fact, 1, 2};
}
LockEdge usage(const char* name, LockFact fact) { return {name, name, fact, 1, 2}; }
FactSource input(uint64_t iteration) { return {"test/lock-graph", 1, iteration}; }

TEST(JoinedLockOrder, TwoInputsCloseACycle) {
  LockGraph graph({});
  EXPECT_FALSE(graph.add(input(3), edge("a", "b")));
  EXPECT_FALSE(graph.add(input(5), edge("c", "b")));
  auto cycle = graph.add(input(9), edge("b", "a"));
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->rule, sim::Rule::kLockOrder);
  EXPECT_EQ(cycle->headline,
            "several inputs together: lock 'a' is taken while 'b' is held, which closes a cycle: "
            "'b' -> 'a' -> 'b' ('a' is taken under 'b' in test/lock-graph 1:9; "
            "'b' is taken under 'a' in test/lock-graph 1:3)");
  EXPECT_EQ(cycle->sources(), (std::vector<FactSource>{input(9), input(3)}));
  EXPECT_EQ(cycle->identity(), "lock-order a b");
}

TEST(JoinedLockOrder, ThreeInputsAndTheBoot) {
  std::vector<LockEdge> boot = {edge("a", "b")};
  LockGraph graph(boot);
  EXPECT_FALSE(graph.add(input(1), edge("b", "c")));
  EXPECT_FALSE(graph.add(input(2), edge("c", "d")));
  auto cycle = graph.add(input(3), edge("d", "a"));
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->parts.size(), 4u);
  EXPECT_EQ(cycle->sources(), (std::vector<FactSource>{input(3), input(1), input(2)}));
  EXPECT_NE(cycle->headline.find("'b' is taken under 'a' at boot"), std::string::npos);
}

// A single input, with or without the boot, is the machine's own business.
TEST(JoinedLockOrder, OneInputAloneIsNotReported) {
  std::vector<LockEdge> boot = {edge("a", "b")};
  LockGraph graph(boot);
  EXPECT_FALSE(graph.add(input(1), edge("b", "a")));
  EXPECT_FALSE(graph.add(input(2), edge("x", "y")));
  EXPECT_FALSE(graph.add(input(2), edge("y", "x")));
}

TEST(JoinedLockOrder, InterruptUseAcrossInputs) {
  LockGraph graph({});
  EXPECT_FALSE(graph.add(input(1), usage("a", LockFact::kUsedInIrqN)));
  auto cycle = graph.add(input(2), usage("a", LockFact::kIrqsOnE));
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->rule, sim::Rule::kLockIrq);
  EXPECT_EQ(cycle->sources().size(), 2u);

  LockGraph order({});
  EXPECT_FALSE(order.add(input(1), usage("a", LockFact::kUsedInSoftN)));
  EXPECT_FALSE(order.add(input(2), usage("b", LockFact::kSoftOnE)));
  cycle = order.add(input(3), edge("a", "b"));
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->rule, sim::Rule::kLockIrqOrder);
  EXPECT_EQ(cycle->sources().size(), 3u);
  EXPECT_EQ(cycle->identity(), "lock-irq-order a b");
}

TEST(JoinedLockOrder, RecursiveReadersDoNotBlockEachOther) {
  LockGraph graph({});
  EXPECT_FALSE(graph.add(input(1), edge("a", "b", LockFact::kEdgeSN)));
  EXPECT_FALSE(graph.add(input(2), edge("b", "a", LockFact::kEdgeER)));
  EXPECT_TRUE(graph.add(input(3), edge("b", "a", LockFact::kEdgeEN)));
}

TEST(JoinedLockOrder, RangesKeepTheFirstInputOfAFact) {
  LockFacts facts;
  std::vector<LockEdge> ab = {edge("a", "b")};
  std::vector<LockEdge> both = {edge("a", "b"), edge("b", "a")};
  std::vector<LockEdge> weak = {edge("a", "b", LockFact::kEdgeSN)};
  facts.add(4, ab);
  facts.add(6, both);
  facts.add(7, both);
  facts.add(8, weak);
  ASSERT_EQ(facts.list().size(), 3u);
  EXPECT_EQ(facts.list()[0].iteration, 4u);
  EXPECT_EQ(facts.list()[1].iteration, 6u);
  EXPECT_STREQ(facts.list()[1].edge.from, "b");
  EXPECT_EQ(facts.list()[2].iteration, 8u);
}

TEST(JoinedLockOrder, ReplayAndShrinkPredicates) {
  std::vector<LockEdge> first = {edge("x", "y"), edge("a", "b")};
  std::vector<LockEdge> second = {edge("b", "a", LockFact::kEdgeSN)};
  EXPECT_TRUE(gives(first, edge("a", "b", LockFact::kEdgeSR)));
  EXPECT_FALSE(gives(first, edge("b", "a")));
  EXPECT_FALSE(gives(second, edge("b", "a", LockFact::kEdgeEN)));
  EXPECT_FALSE(gives(first, usage("a", LockFact::kIrqsOnE)));
  std::vector<RunFacts> runs = {{input(7), first}, {input(2), second}};
  auto cycle = join_runs({}, runs);
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->identity(), "lock-order a b");
  EXPECT_FALSE(join_runs({}, std::span(runs).first(1)));
}

TEST(JoinedLockOrder, OverflowIsSaid) {
  static char names[300][8];
  LockGraph graph({});
  for (unsigned i = 0; i + 1 < 300; i += 2) {
    std::snprintf(names[i], sizeof names[i], "o%u", i);
    std::snprintf(names[i + 1], sizeof names[i], "o%u", i + 1);
    graph.add(input(1), edge(names[i], names[i + 1]));
  }
  EXPECT_TRUE(graph.overflowed());
}

} // namespace
} // namespace kiln::gates
