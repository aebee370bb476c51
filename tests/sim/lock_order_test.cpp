// The lock rules against the whole matrix: each wrong case breaks its rule, and only when its last
// piece appears; each right case is silent.

#include <cstdio>
#include <gtest/gtest.h>

#include "tests/sim/lock_matrix.h"
#include "tests/sim/lock_program.h"

namespace kiln::sim {
namespace {

std::string show(const std::optional<Rule>& rule) {
  return rule ? std::string(rule_name(*rule)) : "all is well";
}

// Runs all tasks of a case; the result, and whether it came in the last task.
struct Result {
  std::optional<Rule> rule;
  size_t run;
  std::string headline;
};
Result play(const LockCase& one) {
  LockProgram program;
  for (size_t i = 0; i < one.runs.size(); ++i) {
    if (auto rule = program.run(one.runs[i])) {
      return {rule, i, program.verdict().rule == *rule ? program.headline() : ""};
    }
  }
  return {std::nullopt, one.runs.size(), ""};
}

void check(const std::vector<LockCase>& cases) {
  unsigned wrong = 0;
  for (const LockCase& one : cases) {
    Result result = play(one);
    std::string text;
    for (const std::string& run : one.runs) {
      text += "\n  " + run;
    }
    EXPECT_EQ(show(result.rule), show(one.breaks)) << one.name << text << "\n" << result.headline;
    if (one.breaks && !one.early) {
      EXPECT_EQ(result.run + 1, one.runs.size()) << one.name << " is found too early" << text;
    }
    wrong += one.breaks ? 1 : 0;
  }
  std::printf("%zu cases: %u wrong ones found, %zu right ones silent\n", cases.size(), wrong,
              cases.size() - wrong);
}

TEST(LockMatrix, Order) { check(order_cases()); }
TEST(LockMatrix, Interrupts) { check(interrupt_cases()); }

// A cycle over any number of classes is found by its last pair, not before and not later.
TEST(LockOrder, FoundByTheLastPieceWhateverTheOrder) {
  for (const Permutation& order :
       permutations({"xA xB -B -A", "xB xC -C -B", "xC xD -D -C", "xD xA -A -D"})) {
    Result result = play({"", order.events, Rule::kLockOrder});
    EXPECT_EQ(result.run, 3u) << order.name;
    EXPECT_EQ(show(result.rule), "lock-order") << order.name;
  }
}

TEST(LockOrder, AllClassesInOneCycle) {
  std::vector<LockOrder> storage(1);
  LockOrder& order = storage[0];
  static char names[LockOrder::kMaxClasses][8];
  LockVerdict broken;
  for (unsigned i = 0; i < LockOrder::kMaxClasses; ++i) {
    std::snprintf(names[i], sizeof names[i], "c%u", i);
    ASSERT_EQ(order.add_class(names[i]), i);
  }
  EXPECT_EQ(order.add_class("one too many"), LockOrder::kNoClass);
  EXPECT_EQ(order.add_class("c7"), 7);
  for (uint16_t i = 0; i + 1 < LockOrder::kMaxClasses; ++i) {
    ASSERT_TRUE(order.learn_edge(i, i + 1, LockFact::kEdgeEN, i, i, &broken));
  }
  ASSERT_FALSE(order.learn_edge(LockOrder::kMaxClasses - 1, 0, LockFact::kEdgeEN, 9, 9, &broken));
  EXPECT_EQ(broken.length, kLongestChain);
  EXPECT_TRUE(broken.truncated);
}

TEST(LockOrder, CycleNamesItsStepsAndSites) {
  LockProgram program;
  EXPECT_FALSE(program.run("xA xB -B -A xB rC -C -B"));
  ASSERT_EQ(program.run("wC xA"), Rule::kLockOrder);
  const LockVerdict& verdict = program.verdict();
  ASSERT_EQ(verdict.length, 3);
  EXPECT_EQ(verdict.chain[0].held_site, 9u);
  EXPECT_EQ(verdict.chain[0].taken_site, 10u);
  EXPECT_EQ(verdict.site, 10u);
  EXPECT_EQ(verdict.other_site, 6u);
  EXPECT_EQ(program.headline(), "lock 'A' is taken while 'C' is held, which closes a cycle: "
                                "'C' -> 'A' -> 'B' -> 'C' (recursive reader)");
  EXPECT_EQ(program.other_label(), "lock 'C' was taken the other way round here");
}

TEST(LockOrder, IrqFindingsNameBothSides) {
  LockProgram program;
  EXPECT_FALSE(program.run("irq{ xA -A }irq off xA xB -B -A on"));
  ASSERT_EQ(program.run("xB"), Rule::kLockIrqOrder);
  EXPECT_EQ(program.verdict().site, 11u);
  EXPECT_EQ(program.verdict().other_site, 2u);
  EXPECT_EQ(program.headline(),
            "lock 'A', which interrupts take, is held while 'B' is waited for, which is held "
            "elsewhere with interrupts on: 'A' -> 'B'");
  EXPECT_EQ(program.other_label(), "lock 'A' was taken in an interrupt here");

  LockProgram usage;
  EXPECT_FALSE(usage.run("soft{ xA -A }soft soft-off xA"));
  ASSERT_EQ(usage.run("soft-on"), Rule::kLockIrq);
  EXPECT_EQ(usage.headline(),
            "soft IRQs are turned on while lock 'A' is held, which soft IRQs take");
  EXPECT_EQ(usage.other_label(), "lock 'A' was taken in a soft IRQ here");
}

TEST(LockOrder, RulesCanBeSwitchedOff) {
  const struct {
    Rule rule;
    const char* program;
  } kCases[] = {{Rule::kLockRecursion, "xA xA -A -A"},
                {Rule::kLockOrder, "xA xB -B -A xB xA -A -B"},
                {Rule::kLockIrq, "irq{ xA -A }irq xA -A"},
                {Rule::kLockIrqOrder, "irq{ xA -A }irq off xA xB -B -A on xB -B"}};
  for (const auto& one : kCases) {
    LockProgram on;
    EXPECT_EQ(show(on.run(one.program)), rule_name(one.rule));
    LockProgram off;
    off.order().set_rule(one.rule, false);
    EXPECT_EQ(show(off.run(one.program)), "all is well");
    off.order().set_rule(one.rule, true);
    EXPECT_EQ(show(off.run("xY xZ -Z -Y xZ xY")), "lock-order");
  }
}

} // namespace
} // namespace kiln::sim
