#pragma once
// For tests of the kernel's sync and task folders: a body that must hold under the plain schedule
// and under many others.

#include <gtest/gtest.h>

#include "tests/support/in_machine.h"

namespace kiln::test {

/// Nothing is found under the plain schedule. For what others may do otherwise: a jump of the clock
/// may come before what should be first.
inline void expect_silent_in_order(Body body) {
  const sim::Outcome outcome = run_in_machine(body);
  ASSERT_FALSE(outcome.found) << outcome.finding.headline;
}

/// Nothing is found: in order, and with `seeded` inputs of the usual mixture of strategies.
inline void expect_silent(Body body, uint64_t seeded = 200) {
  ASSERT_NO_FATAL_FAILURE(expect_silent_in_order(body));
  for (uint64_t i = 0; i < seeded; ++i) {
    const sim::Outcome outcome = run_seeded(body, i);
    ASSERT_FALSE(outcome.found) << "iteration " << i << ": " << outcome.finding.headline;
  }
}

/// The plain schedule breaks this rule.
inline void expect_breaks(Body body, sim::Rule rule) {
  const sim::Outcome outcome = run_in_machine(body);
  ASSERT_TRUE(outcome.found) << "nothing was found";
  EXPECT_EQ(outcome.finding.rule, rule) << outcome.finding.headline;
}

} // namespace kiln::test
