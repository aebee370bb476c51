#include <gtest/gtest.h>

#include "gates/report/decode_schedule.h"
#include "tests/support/trace_builder.h"

namespace kiln::gates {
namespace {

using sim::TraceKind;
using Lines = std::vector<std::string>;

/// Every event of a built trace has a point of its own: its index.
Lines lines_of(const TraceLog& log, std::vector<sim::Decision> decisions) {
  Symbolizer symbolizer("/proc/self/exe", "no-such-tool");
  return decisions_in_words(decisions, log, symbolizer);
}

TEST(DecodeSchedule, SaysWhoWasPreemptedAndByWhom) {
  TraceLog log = TraceBuilder()
                     .on(0, 0)
                     .add(TraceKind::kTaskCreate, 1, 0, "writer")
                     .add(TraceKind::kLockAcquired, 0, 0, "a")
                     .add(TraceKind::kSwitch, 1)
                     .take();
  log.task_names = {"main"};
  EXPECT_EQ(lines_of(log, {{2, 1}}),
            (Lines{"point    2       300 ns  main on cpu0 takes lock 'a': preempted by writer"}));
}

TEST(DecodeSchedule, TellsAWaitFromAPreemption) {
  TraceLog log = TraceBuilder()
                     .on(1, 0)
                     .add(TraceKind::kPark, 0, UINT64_MAX, "join")
                     .on(1, UINT8_MAX)
                     .add(TraceKind::kSwitch, 2)
                     .on(2, 0)
                     .add(TraceKind::kSpin)
                     .add(TraceKind::kSwitch, 3)
                     .take();
  EXPECT_EQ(lines_of(log, {{1, 1}, {3, 1}}),
            (Lines{"point    1       200 ns  task 1 waits for join: next, out of turn, is task 2",
                   "point    3       400 ns  task 2 on cpu0 spins: next, out of turn, is task "
                   "3"}));
}

TEST(DecodeSchedule, TellsInterruptsWakesAndJumps) {
  TraceLog log = TraceBuilder()
                     .on(0, 0)
                     .add(TraceKind::kIrqRaise, 1, 9)
                     .add(TraceKind::kUnpark, 1, 1, "writer")
                     .add(TraceKind::kClockJump, 0, 5000)
                     .take();
  log.task_names = {"main", "writer"};
  Lines lines = lines_of(log, {{0, 2}, {1, 3}, {2, 1}});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].ends_with("main on cpu0: interrupt 9 on cpu1")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(": writer wakes for no reason")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(": the clock jumps to 5.000 us")) << lines[2];
}

TEST(DecodeSchedule, WithoutATraceItIsNumbers) {
  EXPECT_EQ(lines_of({}, {{31, 2}}), (Lines{"point   31  alternative 2"}));
}

} // namespace
} // namespace kiln::gates
