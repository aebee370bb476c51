#include <gtest/gtest.h>
#include <set>

#include "sim/trace.h"

namespace kiln::sim {
namespace {

TraceEvent event_of(TraceKind kind) {
  TraceEvent event{};
  event.kind = kind;
  event.clock_ns = 1204;
  event.cpu = 1;
  return event;
}

TEST(Trace, EveryKindHasANameAndWordsOfItsOwn) {
  std::set<std::string> names;
  std::set<std::string> words;
  for (unsigned i = 0; i <= static_cast<unsigned>(TraceKind::kConsole); ++i) {
    auto kind = static_cast<TraceKind>(i);
    EXPECT_TRUE(names.insert(std::string(trace_kind_name(kind))).second) << i;
    std::string action = describe_action(event_of(kind), "other");
    EXPECT_FALSE(action.empty()) << i;
    EXPECT_TRUE(words.insert(action).second) << action;
  }
}

TEST(Trace, ALineHasTimeCpuTaskContextAndWords) {
  TraceEvent event = event_of(TraceKind::kLockAcquired);
  event.text = "inode";
  EXPECT_EQ(describe(event, "writer", ""), "    1.204 us  cpu1 writer  takes lock 'inode'");
  event.context = 2;
  EXPECT_EQ(describe(event, "writer", ""), "    1.204 us  cpu1 writer [IRQ]  takes lock 'inode'");
  event.cpu = UINT8_MAX;
  event.context = 77;
  EXPECT_EQ(describe(event, "w", ""), "    1.204 us  -    w  takes lock 'inode'");
}

TEST(Trace, WordsNameWhatTheKindHolds) {
  TraceEvent event = event_of(TraceKind::kUnpark);
  EXPECT_EQ(describe_action(event, "reader"), "wakes reader");
  event.value = 1;
  EXPECT_EQ(describe_action(event, "reader"), "reader wakes for no reason");
  event = event_of(TraceKind::kPark);
  event.value = UINT64_MAX;
  EXPECT_EQ(describe_action(event, ""), "waits for a wake-up");
  event.text = "mutex";
  event.value = 2'500'000;
  EXPECT_EQ(describe_action(event, ""), "waits for mutex, at most until 2.500 ms");
  event = event_of(TraceKind::kIrqRaise);
  event.other = 3;
  event.value = 7;
  EXPECT_EQ(describe_action(event, ""), "raises interrupt 7 on cpu3");
  event = event_of(TraceKind::kTimerArm);
  event.value = UINT64_MAX;
  EXPECT_EQ(describe_action(event, ""), "disarms the timer");
}

TEST(Trace, TimesKeepThreeDigits) {
  EXPECT_EQ(describe_time(0), "0 ns");
  EXPECT_EQ(describe_time(999), "999 ns");
  EXPECT_EQ(describe_time(1000), "1.000 us");
  EXPECT_EQ(describe_time(1'234'567), "1.234 ms");
  EXPECT_EQ(describe_time(2'000'001'999), "2.000001 s");
}

} // namespace
} // namespace kiln::sim
