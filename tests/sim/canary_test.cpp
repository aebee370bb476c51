// Every canary is found within 1,000 inputs, as the rule that it breaks; what is written down
// breaks it again, the same way each time; and whatever a finding leaves half done, a reset puts
// back.
//
// Left to the tests of the command line: what only the runner sees (a hang, a probe that is missed)
// and what comes through a signal handler (crash, stack-overflow).

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "sim/engine.h"
#include "sim/sanitizer.h"
#include "sim/target.h"
#include "tests/support/in_machine.h"

namespace kiln {
namespace {

using sim::Rule;

constexpr uint64_t kMostInputs = 1'000;

std::string show(const sim::Outcome& outcome) {
  return outcome.found ? std::string(sim::rule_name(outcome.finding.rule)) : "nothing";
}

sim::Outcome run_seeded(const sim::Target& target, uint64_t iteration,
                        const sim::ExecuteOptions& options = {}) {
  sim::Tape tape(sim::SeededInput{target.info().name, 1, iteration, target.info().longest_tape,
                                  target.info().numbered});
  return sim::execute(target, tape, options);
}

sim::Outcome run_tape(const sim::Target& target, std::span<const uint8_t> bytes) {
  sim::Tape tape(bytes);
  return sim::execute(target, tape, {});
}

/// The first input that ends in a finding; kMostInputs when there is none.
uint64_t first_found(const sim::Target& target) {
  uint64_t iteration = 0;
  while (iteration < kMostInputs && !run_seeded(target, iteration).found) {
    ++iteration;
  }
  return iteration;
}

class Canary : public testing::TestWithParam<const sim::Target*> {};

TEST_P(Canary, IsFoundAndFoundAgain) {
  const sim::Target& target = *GetParam();
  test::boot_once();
  const uint64_t booted = sim::machine_hash();
  EXPECT_EQ(show(run_tape(target, {})), "nothing") << "the empty tape is ordinary";

  const uint64_t iteration = first_found(target);
  ASSERT_LT(iteration, kMostInputs) << "is not found";
  EXPECT_EQ(sim::machine_hash(), booted);
  sim::ExecuteOptions options;
  options.record = true;
  const sim::Outcome first = run_seeded(target, iteration, options);
  EXPECT_EQ(show(first), sim::rule_name(target.info().must_break)) << first.finding.headline;
  RecordProperty("input", static_cast<int>(iteration));

  for (int i = 0; i < 10; ++i) {
    const sim::Outcome again = run_tape(target, first.tape);
    ASSERT_EQ(show(again), show(first));
    ASSERT_EQ(again.digest, first.digest);
    ASSERT_EQ(sim::machine_hash(), booted);
  }
}

/// Canaries whose finding ends the run, and not the process.
std::vector<const sim::Target*> canaries() {
  const std::set<Rule> elsewhere = {Rule::kHang,           Rule::kCrash,
                                    Rule::kStackOverflow,  Rule::kUninitialised,
                                    Rule::kNondeterminism, Rule::kProbeMissed};
  std::vector<const sim::Target*> out;
  for (const sim::Target* target : sim::Target::all()) {
    const sim::TargetInfo& info = target->info();
    bool needs_sanitizer = std::string_view(info.tags).find("sanitizer") != std::string_view::npos;
    if (info.must_fail && std::string_view(info.name).starts_with("canary/") &&
        !elsewhere.contains(info.must_break) && (sim::kAsan || !needs_sanitizer)) {
      out.push_back(target);
    }
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Rules, Canary, testing::ValuesIn(canaries()),
                         [](const testing::TestParamInfo<const sim::Target*>& info) {
                           std::string name = std::string(info.param->info().name).substr(7);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(CanaryOfTheRunner, UninitialisedReadDependsOnTheFill) {
  test::boot_once();
  const sim::Target* target = sim::Target::find("canary/uninitialised-read");
  ASSERT_NE(target, nullptr);
  sim::ExecuteOptions other;
  other.fill = 0x5A;
  unsigned differ = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    differ += run_seeded(*target, i).digest != run_seeded(*target, i, other).digest ? 1 : 0;
  }
  EXPECT_GT(differ, 2u);
  EXPECT_LT(differ, 100u);
}

TEST(CanaryOfTheRunner, NondeterminismMakesTwoRuns) {
  test::boot_once();
  const sim::Target* target = sim::Target::find("canary/nondeterminism");
  ASSERT_NE(target, nullptr);
  unsigned differ = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    differ += run_seeded(*target, i).digest != run_seeded(*target, i).digest ? 1 : 0;
  }
  EXPECT_GT(differ, 2u);
  EXPECT_LT(differ, 100u);
}

// A rule without a canary is a rule that nobody has seen work.
TEST(CanaryOfTheRunner, EveryRuleHasOne) {
  for (Rule rule : sim::kRules) {
    const sim::Target* target = sim::Target::find("canary/" + std::string(sim::rule_name(rule)));
    ASSERT_NE(target, nullptr) << sim::rule_name(rule);
    EXPECT_EQ(target->info().must_break, rule);
    EXPECT_TRUE(target->info().must_fail);
  }
}

} // namespace
} // namespace kiln
