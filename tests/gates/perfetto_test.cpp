#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "gates/report/perfetto.h"
#include "tests/support/trace_builder.h"

namespace kiln::gates {
namespace {

using nlohmann::json;
using sim::TraceKind;

json exported(const TraceLog& log) {
  json all = json::parse(trace_to_perfetto(log, nullptr));
  return all["traceEvents"];
}

std::vector<json> find(const json& events, const char* phase, int process, unsigned thread) {
  std::vector<json> found;
  for (const json& event : events) {
    bool on_track = event.value("pid", 0) == process && event.value("tid", 9999U) == thread;
    if (event["ph"] == phase && on_track) found.push_back(event);
  }
  return found;
}

// main makes writer and waits; writer holds a lock, is interrupted, wakes main and ends.
TraceLog sample() {
  return TraceBuilder()
      .on(0, 0)
      .add(TraceKind::kTaskCreate, 1, 0, "writer")  // 0.1 us
      .add(TraceKind::kPark, 0, UINT64_MAX, "join") // 0.2
      .add(TraceKind::kSwitch, 1)                   // 0.3
      .on(1, 1)
      .add(TraceKind::kLockAcquired, 0, 0, "inode") // 0.4
      .on(1, 1, 2)
      .add(TraceKind::kIrqEnter, 0, 5) // 0.5
      .add(TraceKind::kIrqLeave, 0, 5) // 0.6
      .on(1, 1)
      .add(TraceKind::kLockRelease, 0, 0, "inode") // 0.7
      .add(TraceKind::kUnpark, 0, 0, "main")       // 0.8
      .add(TraceKind::kTaskEnd, 1, 0, "writer")    // 0.9
      .add(TraceKind::kSwitch, 0)                  // 1.0
      .on(0, 0)
      .add(TraceKind::kFinding) // 1.1
      .take();
}

/// Each event is a nanosecond later than its time says, so that it has a width.
constexpr double kWidths = 0.02;

TEST(Perfetto, CpusShowWhoExecutes) {
  json events = exported(sample());
  auto cpu0 = find(events, "X", 1, 0);
  ASSERT_EQ(cpu0.size(), 2U);
  EXPECT_EQ(cpu0[0]["name"], "main");
  EXPECT_NEAR(cpu0[0]["ts"], 0.1, kWidths);
  EXPECT_NEAR(cpu0[0]["dur"], 0.2, kWidths);
  auto cpu1 = find(events, "X", 1, 2);
  ASSERT_EQ(cpu1.size(), 1U);
  EXPECT_EQ(cpu1[0]["name"], "writer");
}

TEST(Perfetto, TasksRunWaitAndAreReady) {
  json events = exported(sample());
  auto main = find(events, "X", 2, 0);
  ASSERT_EQ(main.size(), 4U);
  std::map<double, std::string> by_time;
  for (const json& slice : main)
    by_time[std::floor(static_cast<double>(slice["ts"]) * 10) / 10] = slice["name"];
  EXPECT_EQ(by_time[0.1], "runs on cpu0");
  EXPECT_EQ(by_time[0.3], "waits for join");
  EXPECT_EQ(by_time[0.8], "ready");
  EXPECT_EQ(by_time[1.0], "runs on cpu0");
}

TEST(Perfetto, SlicesOfATrackNeverOverlap) {
  json events = exported(sample());
  std::map<std::pair<int, unsigned>, double> end;
  std::map<std::pair<int, unsigned>, std::map<double, double>> tracks;
  for (const json& event : events) {
    if (event["ph"] == "X") tracks[{event["pid"], event["tid"]}][event["ts"]] = event["dur"];
  }
  for (const auto& [track, slices] : tracks) {
    double last = 0;
    for (auto [begin, length] : slices) {
      EXPECT_GE(begin + 1e-9, last);
      last = begin + length;
    }
  }
}

TEST(Perfetto, InterruptsLocksWakesAndFindings) {
  json events = exported(sample());
  auto begin = find(events, "B", 1, 3);
  ASSERT_EQ(begin.size(), 1U);
  EXPECT_EQ(begin[0]["name"], "interrupt 5");
  EXPECT_EQ(find(events, "E", 1, 3).size(), 1U);
  auto held = find(events, "b", 2, 1);
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0]["name"], "holds 'inode'");
  auto let_go = find(events, "e", 2, 1);
  ASSERT_EQ(let_go.size(), 1U);
  EXPECT_EQ(held[0]["id"], let_go[0]["id"]);
  EXPECT_NEAR(let_go[0]["ts"], 0.7, kWidths);
  auto from = find(events, "s", 2, 1);
  auto to = find(events, "f", 2, 0);
  ASSERT_EQ(from.size(), 1U);
  ASSERT_EQ(to.size(), 1U);
  EXPECT_EQ(from[0]["id"], to[0]["id"]);
  auto marks = find(events, "i", 2, 0);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[1]["name"], "FINDING");
  EXPECT_EQ(marks[1]["s"], "g");
}

TEST(Perfetto, WhatIsOpenAtTheEndIsClosedAndTheRestIsIgnored) {
  json events = exported(TraceBuilder()
                             .on(1, 0)
                             .add(TraceKind::kLockRelease, 0, 0, "before the trace")
                             .add(TraceKind::kIrqLeave, 0, 1)
                             .add(TraceKind::kLockAcquired, 0, 0, "held")
                             .add(TraceKind::kIrqEnter, 0, 1)
                             .take());
  EXPECT_EQ(find(events, "b", 2, 1).size(), 1U);
  EXPECT_EQ(find(events, "e", 2, 1).size(), 1U);
  EXPECT_EQ(find(events, "B", 1, 1).size(), 1U);
  EXPECT_EQ(find(events, "E", 1, 1).size(), 1U);
}

TEST(Perfetto, TracksHaveNamesAndAnEmptyTraceIsStillATrace) {
  json events = exported(sample());
  std::vector<std::string> names;
  for (const json& event : events) {
    if (event["name"] == "thread_name") names.push_back(event["args"]["name"]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"cpu0", "main", "cpu1", "writer", "cpu1 interrupts"}));
  EXPECT_EQ(exported({}).size(), 2U);
}

} // namespace
} // namespace kiln::gates
