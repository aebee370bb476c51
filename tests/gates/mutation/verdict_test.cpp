#include <gtest/gtest.h>

#include "gates/mutation/mutation_run.h"
#include "gates/worker/death.h"

namespace kiln::gates {
namespace {

sim::Mutant mutant(bool compares) {
  sim::Mutant m{};
  m.compares = compares;
  return m;
}

TEST(Verdict, OfASurvivor) {
  EXPECT_EQ(survivor_verdict({0, 0}, mutant(true)), Verdict::kNotReached);
  EXPECT_EQ(survivor_verdict({3, 0}, mutant(true)), Verdict::kNotDifferent);
  EXPECT_EQ(survivor_verdict({3, 1}, mutant(true)), Verdict::kNotNoticed);
  EXPECT_EQ(survivor_verdict({3, 0}, mutant(false)), Verdict::kNotNoticed);
}

TEST(Verdict, AKillByTimeOutIsTold) {
  MutantResult result;
  result.verdict = Verdict::kKilled;
  result.rule = sim::Rule::kHang;
  result.headline = "the loops of this input take more than 1000 turns";
  EXPECT_FALSE(by_clock(result));
  for (const char* headline : {kTimeOut, kTimeOutFromOutside}) {
    result.headline = headline;
    EXPECT_TRUE(by_clock(result));
  }
  result.verdict = Verdict::kNotNoticed;
  EXPECT_FALSE(by_clock(result));
}

} // namespace
} // namespace kiln::gates
