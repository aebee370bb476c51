// Sanitizer reports become findings in process, with their place, and the machine goes on.

#include <gtest/gtest.h>
#include <string_view>

#include "kernel-src/hal/memory.h"
#include "sim/sanitizer.h"
#include "tests/support/in_machine.h"

namespace kiln {
namespace {

volatile uint32_t seven = 7;

void expect_finding(test::Body body, sim::Rule rule, std::string_view part) {
  if (!sim::kAsan) {
    GTEST_SKIP() << "this flavour has no sanitizer";
  }
  for (int round = 0; round < 2; ++round) {
    sim::Outcome outcome = test::run_in_machine(body);
    ASSERT_TRUE(outcome.found);
    EXPECT_EQ(outcome.finding.rule, rule) << outcome.finding.headline;
    EXPECT_NE(std::string_view(outcome.finding.headline).find(part), std::string_view::npos)
        << outcome.finding.headline;
    EXPECT_GT(outcome.finding.stack.count, 2U);
  }
  EXPECT_FALSE(test::run_in_machine([](sim::Run&) {}).found);
}

TEST(Hooks, UnsignedWrapIsAFinding) {
  expect_finding([](sim::Run&) { seven = seven - 8; }, sim::Rule::kUndefined, "7 - 8 wraps around");
}

TEST(Hooks, LossyConversionIsAFinding) {
  expect_finding(
      [](sim::Run&) {
        uint32_t wide = seven + 300;
        uint8_t narrow = wide;
        seven = narrow;
      },
      sim::Rule::kUndefined, "conversion of 307");
}

TEST(Hooks, ShiftIsAFinding) {
  expect_finding([](sim::Run&) { seven = 1U << (seven + 30); }, sim::Rule::kUndefined,
                 "shifted by 37");
}

TEST(Hooks, ReadPastABlockIsAFindingWithItsAllocation) {
  expect_finding(
      [](sim::Run&) {
        auto* block = static_cast<volatile uint8_t*>(hal_alloc(24, 8, kHalAllocMayWait));
        seven = block[seven + 17];
      },
      sim::Rule::kAddress, "reads 1 byte just past the end of a block of 24 bytes");
  sim::Outcome outcome = test::run_in_machine([](sim::Run&) {
    auto* block = static_cast<volatile uint8_t*>(hal_alloc(24, 8, kHalAllocMayWait));
    seven = block[seven + 17];
  });
  EXPECT_TRUE(outcome.finding.has_other);
}

TEST(Hooks, UseAfterFreeIsAFinding) {
  expect_finding(
      [](sim::Run&) {
        auto* block = static_cast<volatile uint32_t*>(hal_alloc(64, 8, kHalAllocMayWait));
        hal_free(const_cast<uint32_t*>(block));
        block[3] = 1;
      },
      sim::Rule::kAddress, "writes 4 bytes inside a block of 64 bytes after it was given back");
}

TEST(Hooks, StackOverrunIsAFinding) {
  expect_finding(
      [](sim::Run&) {
        volatile uint8_t local[16] = {};
        volatile uint8_t* p = local;
        p[seven + 11] = 1;
      },
      sim::Rule::kAddress, "on the stack of task 'main'");
}

} // namespace
} // namespace kiln
