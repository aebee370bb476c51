// Registries of targets, probes and rules.

#include <gtest/gtest.h>
#include <set>

#include "sim/probe.h"
#include "sim/rules.h"
#include "sim/target.h"

namespace kiln::sim {
namespace {

void ordinary(Run&) {}

Target second{{.name = "registry-test/second", .purpose = "For this test.", .run = ordinary}};
Target first{{.name = "registry-test/first",
              .purpose = "For this test.",
              .run = ordinary,
              .gate_inputs = 7}};
Probe probe_one{"registry-test/first", "one"};
Probe probe_two{"registry-test/first", "two"};

TEST(Registry, FindsTargetsByName) {
  EXPECT_EQ(Target::find("registry-test/first"), &first);
  EXPECT_EQ(Target::find("registry-test/second"), &second);
  EXPECT_EQ(Target::find("registry-test/fir"), nullptr);
  EXPECT_EQ(Target::find("registry-test/first")->info().gate_inputs, 7u);
}

TEST(Registry, ListsTargetsByName) {
  const std::vector<const Target*> all = Target::all();
  for (size_t i = 1; i < all.size(); ++i) {
    EXPECT_LT(std::string_view(all[i - 1]->info().name), std::string_view(all[i]->info().name));
  }
  size_t linked = 0;
  for (const Target* target = Target::first(); target != nullptr; target = target->next()) {
    ++linked;
  }
  EXPECT_EQ(linked, all.size());
}

TEST(RegistryDeathTest, RefusesTwoTargetsOfOneName) {
  EXPECT_DEATH(Target({.name = "registry-test/first", .purpose = "Again."}), "Two targets");
}

TEST(Registry, ProbesHaveCountersOfTheirOwn) {
  std::set<unsigned> indices;
  for (const Probe* probe = Probe::first(); probe != nullptr; probe = probe->next()) {
    EXPECT_LT(probe->index(), Probe::count());
    EXPECT_TRUE(indices.insert(probe->index()).second);
  }
  EXPECT_EQ(indices.size(), Probe::count());
  const uint64_t before = probe_counters[probe_one.index()];
  const uint64_t other = probe_counters[probe_two.index()];
  probe_one.hit();
  EXPECT_EQ(probe_counters[probe_one.index()], before + 1);
  EXPECT_EQ(probe_counters[probe_two.index()], other);
}

TEST(Registry, RulesHaveNames) {
  std::set<std::string_view> names;
  for (unsigned i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    EXPECT_TRUE(names.insert(rule_name(rule)).second) << rule_name(rule);
    EXPECT_FALSE(rule_text(rule).empty());
    Rule found = Rule::kOracle;
    ASSERT_TRUE(rule_by_name(rule_name(rule), &found));
    EXPECT_EQ(found, rule);
  }
  Rule unused = Rule::kOracle;
  EXPECT_FALSE(rule_by_name("no-such-rule", &unused));
}

} // namespace
} // namespace kiln::sim
