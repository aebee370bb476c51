// The switches of rewritten sources by themselves.

#include <climits>
#include <gtest/gtest.h>

#include "sim/mutant_switch.h"

namespace {

int ends = 0;

} // namespace

bool kiln_mutant_visit(unsigned char*) { return true; }
void kiln_mutant_differs(const unsigned char*) {}
void kiln_mutant_no_fuel() { ++ends; }

TEST(Switch, LoopsBeforeTheFirstInputHaveAllTheFuelThereIs) {
  KILN_TICK();
  EXPECT_EQ(ends, 0);
  EXPECT_EQ(LONG_MAX - kiln_mutants::fuel, 1);
}
