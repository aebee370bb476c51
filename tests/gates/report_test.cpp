#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

#include "gates/report/report.h"
#include "gates/report/source_excerpt.h"
#include "gates/support/style.h"
#include "tests/support/trace_builder.h"

namespace kiln::gates {
namespace {

template <size_t n> void put(char (&to)[n], const char* text) { std::snprintf(to, n, "%s", text); }

const sim::Target& sample_target() {
  static sim::Target target{
      {.name = "test-area/report", .purpose = "A name for this test.", .run = [](sim::Run&) {}}};
  return target;
}

Found sample() {
  Found found;
  found.target = &sample_target();
  found.seed = 3;
  found.iteration = 4711;
  found.tape = {1, 2, 3};
  found.shrunk = true;
  found.reproduced = 9;
  found.attempts = 10;
  found.trace_tail = {"the line before the last", "the last line"};
  found.sanitizer_text = "==1==ERROR: words\nShadow bytes around the buggy address:\n  00 00";
  sim::Finding& finding = found.finding;
  finding.rule = sim::Rule::kSleepInAtomic;
  put(finding.headline, "task 'writer' sleeps with spin lock 'inode' held");
  put(finding.task, "writer");
  put(finding.other_label, "the spin lock was taken here");
  finding.cpu = 1;
  finding.context = 2;
  finding.clock_ns = 1204;
  finding.point = 37;
  finding.stack.count = 1;
  finding.stack.pc[0] = 0x20001;
  finding.has_other = 1;
  finding.other.count = 1;
  finding.other.pc[0] = 0x20002;
  finding.held_count = 1;
  put(finding.held[0].name, "inode");
  finding.held[0].site = 0x20003;
  finding.task_count = 1;
  put(finding.tasks[0].name, "reader");
  put(finding.tasks[0].state, "waits for mutex 'inode' of task 'writer'");
  finding.tasks[0].cpu = UINT32_MAX;
  return found;
}

struct Reported {
  Found found = sample();
  Symbolizer symbolizer{"/proc/self/exe", "no-such-tool"};
  ReportContext context;
  std::string long_form() {
    return report_long(found, identify(found.finding, symbolizer), symbolizer, context);
  }
  std::string short_form() {
    return report_short(found, identify(found.finding, symbolizer), symbolizer, context);
  }
};

void expect_has(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Report, SaysEverythingThatIsKnown) {
  Reported reported;
  reported.context.tape_file = "out/findings/a.hex";
  reported.context.files = {"out/findings/a.hex", "out/findings/a.json"};
  reported.found.exhibits.texts.push_back({"Operations", "mount\nwrite 3"});
  TraceLog log = TraceBuilder().on(1, 1).add(sim::TraceKind::kFinding).take();
  log.task_names = {"main", "writer"};
  reported.context.trace = &log;
  std::string text = reported.long_form();
  expect_has(text, {
                       "FINDING sleep-in-atomic: task 'writer' sleeps with spin lock 'inode' held",
                       "a task sleeps, waits or yields with a spin lock held",
                       "task 'writer' on cpu1, in an interrupt, at 1.204 us (scheduling point 37)",
                       "test-area/report, seed 3, iteration 4711; a tape of 3 bytes, shrunk",
                       "9 of 10 runs in a fresh process",
                       "sleep-in-atomic@",
                       "0x20001",
                       "The spin lock was taken here",
                       "0x20002",
                       "'inode', taken in 0x20003",
                       "reader waits for mutex 'inode' of task 'writer'",
                       "  1. writer on cpu1: breaks the rule",
                       "the last line",
                       "Operations\n  mount\n  write 3\n",
                       "==1==ERROR: words",
                       "out/findings/a.json",
                       "python3 scripts/fuzz.py --replay test-area/report out/findings/a.hex --gdb",
                       "install -D out/findings/a.hex tests/regress/test-area/report/",
                   });
  EXPECT_EQ(text.find("Shadow bytes"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Report, TheShortFormFitsAScreen) {
  Reported reported;
  reported.found.finding.stack.count = sim::kStackFrames;
  for (unsigned i = 0; i < sim::kStackFrames; ++i)
    reported.found.finding.stack.pc[i] = 0x20000 + i;
  std::string text = reported.short_form();
  expect_has(text, {"FINDING sleep-in-atomic", "iteration 4711", "0x20000",
                    "python3 scripts/fuzz.py test-area/report --only 3:4711"});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 45);
}

TEST(Report, EveryOriginHasItsReplay) {
  Found found = sample();
  ReportContext context;
  EXPECT_EQ(replay_command(found, context),
            "python3 scripts/fuzz.py test-area/report --only 3:4711");
  context.tape_file = "x.hex";
  EXPECT_EQ(replay_command(found, context),
            "python3 scripts/fuzz.py --replay test-area/report x.hex");
  found.origin = Origin::kFeed;
  found.feed_name = "board.dtb";
  EXPECT_EQ(replay_command(found, context),
            "python3 scripts/fuzz.py feed test-area/report board.dtb");
  found.origin = Origin::kGate;
  EXPECT_EQ(replay_command(found, context), "python3 scripts/fuzz.py test-area/report");
}

TEST(Report, AFindingOfWhichNothingIsKnownIsStillOne) {
  Reported reported;
  reported.found = Found{};
  reported.found.finding.rule = sim::Rule::kHang;
  put(reported.found.finding.headline, "no answer for 20 seconds");
  expect_has(reported.long_form(), {"FINDING hang: no answer for 20 seconds", "What now"});
  expect_has(reported.short_form(), {"FINDING hang"});
}

TEST(Report, ColoursOnlyWhenAsked) {
  Reported reported;
  reported.context.colour = true;
  expect_has(reported.long_form(), {"\x1b[1;31mFINDING sleep-in-atomic:\x1b[0m"});
  EXPECT_EQ(Style(false).bad("x"), "x");
}

TEST(Report, RegressionFilesAreNamedAfterTargetAndIdentity) {
  Found found = sample();
  const std::vector<Frame> frames = {{"clay::f", "kernel-src/f.cpp", 12, false}};
  Identity identity = identify(found.finding, frames);
  EXPECT_EQ(regression_file(found, identity),
            "tests/regress/test-area/report/" + identity.short_hash() + "-12.hex");
  found.origin = Origin::kFeed;
  EXPECT_TRUE(regression_file(found, identity).ends_with("-12.bin"));
}

TEST(SourceExcerpt, ShowsThreeLinesAndMarksTheMiddle) {
  std::string text = source_excerpt("tests/support/trace_builder.h", 2, Style(false));
  EXPECT_EQ(text, "        1 | #pragma once\n"
                  "  >     2 | // Traces for tests, event by event.\n"
                  "        3 | \n");
  EXPECT_EQ(source_excerpt("tests/gates/report_test.cpp", 1'000'000, Style(false)), "");
  EXPECT_EQ(source_excerpt("no/such/file.cpp", 2, Style(false)), "");
  EXPECT_EQ(source_excerpt("tests/gates/report_test.cpp", 0, Style(false)), "");
}

} // namespace
} // namespace kiln::gates
