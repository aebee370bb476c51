#include <cstdio>
#include <gtest/gtest.h>

#include "gates/report/schedule.h"
#include "tests/support/trace_builder.h"

namespace kiln::gates {
namespace {

using sim::TraceKind;
using Steps = std::vector<std::string>;

Steps steps_of(const TraceLog& log, const char* headline = "", size_t most = kStepsShown) {
  sim::Finding finding{};
  std::snprintf(finding.headline, sizeof finding.headline, "%s", headline);
  Symbolizer symbolizer("/proc/self/exe", "no-such-tool");
  return schedule_steps(log, finding, symbolizer, most);
}

TEST(Schedule, TellsWhoRunsWhatItDoesAndWhyItStops) {
  TraceLog log = TraceBuilder()
                     .on(0, 0)
                     .add(TraceKind::kTaskCreate, 1, 0, "writer")
                     .add(TraceKind::kPark, 0, UINT64_MAX, "join")
                     .add(TraceKind::kSwitch, 1)
                     .on(1, 1)
                     .add(TraceKind::kLockAcquire, 0, 0, "a")
                     .add(TraceKind::kLockAcquired, 0, 0, "a")
                     .add(TraceKind::kSwitch, 2)
                     .on(2, 0)
                     .add(TraceKind::kLockAcquire, 0, 0, "a")
                     .add(TraceKind::kSpin)
                     .add(TraceKind::kSwitch, 1)
                     .on(1, 1)
                     .add(TraceKind::kLockRelease, 0, 0, "a")
                     .add(TraceKind::kUnpark, 0, 0, "main")
                     .add(TraceKind::kFinding)
                     .take();
  EXPECT_EQ(steps_of(log), (Steps{"  1. main on cpu0: creates task writer; waits for join",
                                  "  2. writer on cpu1: takes lock 'a'; is preempted",
                                  "  3. task 2 on cpu0: wants lock 'a'; spins",
                                  "  4. writer on cpu1: releases lock 'a', wakes main, breaks the "
                                  "rule"}));
}

TEST(Schedule, LocksTakenAndReleasedInOneStepAreLeftOutUnlessTheFindingNamesThem) {
  TraceLog log = TraceBuilder()
                     .on(1, 0)
                     .add(TraceKind::kLockAcquire, 0, 0, "outer")
                     .add(TraceKind::kLockAcquired, 0, 0, "outer")
                     .add(TraceKind::kLockAcquire, 0, 0, "inner")
                     .add(TraceKind::kLockAcquired, 0, 0, "inner")
                     .add(TraceKind::kLockRelease, 0, 0, "inner")
                     .add(TraceKind::kLockRelease, 0, 0, "outer")
                     .add(TraceKind::kYield)
                     .take();
  EXPECT_EQ(steps_of(log), (Steps{"  1. task 1 on cpu0 yields"}));
  EXPECT_EQ(steps_of(log, "lock 'inner' is taken again")[0],
            "  1. task 1 on cpu0: takes lock 'outer', takes lock 'inner', releases lock 'inner', "
            "releases lock 'outer'; yields");
}

TEST(Schedule, InterruptsOverAnIdleCpuCountAndIdlingDoesNot) {
  TraceLog log = TraceBuilder()
                     .on(sim::kNoTask, 0)
                     .add(TraceKind::kSwitch, 1)
                     .on(1, 0)
                     .add(TraceKind::kPark, 0, 5000, nullptr)
                     .add(TraceKind::kSwitch, sim::kNoTask)
                     .on(sim::kNoTask, 0, 2)
                     .add(TraceKind::kIrqEnter, 0, 3)
                     .add(TraceKind::kUnpark, 1, 0, "worker")
                     .add(TraceKind::kIrqLeave, 0, 3)
                     .take();
  EXPECT_EQ(steps_of(log),
            (Steps{"  1. worker on cpu0 waits for a wake-up, at most until 5.000 us",
                   "  2. (idle) on cpu0: interrupt 3 begins, wakes worker, interrupt 3 ends"}));
}

TEST(Schedule, LongStepsAndLongRunsAreCut) {
  TraceBuilder long_step;
  long_step.on(1, 0);
  for (int i = 0; i < 20; ++i)
    long_step.add(TraceKind::kUnpark, 2, 0, "other");
  std::string only = steps_of(long_step.take())[0];
  EXPECT_NE(only.find("... 12 more"), std::string::npos) << only;

  TraceBuilder long_run;
  for (unsigned i = 0; i < 100; ++i) {
    long_run.on(i % 2, 0).add(TraceKind::kYield).add(TraceKind::kSwitch, (i + 1) % 2);
  }
  Steps steps = steps_of(long_run.take(), "", 10);
  ASSERT_EQ(steps.size(), 10U);
  EXPECT_TRUE(steps.back().starts_with("101. ")) << steps.back();
}

TEST(Schedule, OfNothingIsNothing) { EXPECT_TRUE(steps_of({}).empty()); }

} // namespace
} // namespace kiln::gates
