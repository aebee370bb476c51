#include <cstdio>
#include <gtest/gtest.h>

#include "gates/finding/identity.h"

namespace kiln::gates {
namespace {

using sim::Rule;

sim::Finding finding_of(Rule rule, const char* headline = "") {
  sim::Finding finding{};
  finding.rule = rule;
  std::snprintf(finding.headline, sizeof finding.headline, "%s", headline);
  return finding;
}

const Frame kMachine{"kiln::sim::Machine::fail", "sim/findings.cpp", 10, false};
const Frame kLibc{"memcpy", "/usr/src/libc/memcpy.c", 3, false};
const Frame kMutex{"clay::Mutex::lock", "kernel-src/sync/mutex.cpp", 41, false};
const Frame kRead{"clay::Inode::read", "kernel-src/fs/inode.cpp", 118, false};
const Frame kRun{"run", "targets/fs/ext2.cpp", 60, false};

Identity of(Rule rule, const std::vector<Frame>& frames, const char* headline = "") {
  return identify(finding_of(rule, headline), frames);
}

TEST(Identity, ThePlaceIsTheInnermostFrameThatIsNotPlumbing) {
  Identity identity = of(Rule::kSleepInAtomic, {kMachine, kLibc, kMutex, kRead, kRun});
  EXPECT_EQ(identity.where, "kernel-src/fs/inode.cpp:118");
  EXPECT_EQ(identity.place.function, "clay::Inode::read");
  EXPECT_TRUE(identity.text().starts_with("sleep-in-atomic@kernel-src/fs/inode.cpp:118#"));
  EXPECT_EQ(identity.text().size(), identity.text().find('#') + 9);
}

TEST(Identity, AFaultInsideALockHasItsPlaceThere) {
  EXPECT_EQ(of(Rule::kUndefined, {kMutex, kRead, kRun}).where, "kernel-src/sync/mutex.cpp:41");
  EXPECT_EQ(of(Rule::kAddress, {kLibc, kMutex, kRead}).where, "kernel-src/sync/mutex.cpp:41");
}

TEST(Identity, NothingButPlumbingFallsBackToTheInnermost) {
  Identity identity = of(Rule::kDeadlock, {kMachine, kMutex});
  EXPECT_EQ(identity.where, "sim/findings.cpp:10");
}

TEST(Identity, NoFramesAtAllIsToldApartByItsWords) {
  Identity a = of(Rule::kProbeMissed, {}, "probe 'a lock is contended' was never hit");
  Identity b = of(Rule::kProbeMissed, {}, "probe 'a timer is late' was never hit");
  EXPECT_EQ(a.where, "unknown");
  EXPECT_NE(a.stack_hash, b.stack_hash);
  EXPECT_EQ(a.stack_hash,
            of(Rule::kProbeMissed, {}, "probe 'a lock is contended' was never hit").stack_hash);
}

TEST(Identity, TheHashIgnoresLinesAndInliningAndPlumbing) {
  Frame inlined = kRead;
  inlined.inlined = true;
  inlined.line = 7;
  Identity gate = of(Rule::kSleepInAtomic, {kMachine, kMutex, kRead, kRun});
  Identity fast = of(Rule::kSleepInAtomic, {kMutex, kLibc, inlined, kRun});
  EXPECT_EQ(gate.stack_hash, fast.stack_hash);
  EXPECT_EQ(gate.text_without_line(), fast.text_without_line());
  EXPECT_NE(gate.text(), fast.text());
}

TEST(Identity, TheHashKnowsRuleFunctionAndFile) {
  Identity base = of(Rule::kSleepInAtomic, {kRead, kRun});
  EXPECT_NE(base.stack_hash, of(Rule::kWaitInIrq, {kRead, kRun}).stack_hash);
  Frame other = kRead;
  other.function = "clay::Inode::write";
  EXPECT_NE(base.stack_hash, of(Rule::kSleepInAtomic, {other, kRun}).stack_hash);
  other = kRead;
  other.file = "kernel-src/fs/other.cpp";
  EXPECT_NE(base.stack_hash, of(Rule::kSleepInAtomic, {other, kRun}).stack_hash);
}

TEST(Identity, DepthOfRecursionDoesNotCount) {
  EXPECT_EQ(of(Rule::kStackOverflow, {kRead, kRead, kRead, kRead, kRead, kRun}).stack_hash,
            of(Rule::kStackOverflow, {kRead, kRead, kRun}).stack_hash);
}

TEST(Identity, LockOrderIsTheUnorderedSetOfItsClasses) {
  const char* one = "lock 'inode' is taken while 'mount table' is held, which closes a cycle: "
                    "'mount table' -> 'inode' -> 'mount table'";
  const char* other = "lock 'mount table' is taken while 'inode' is held, which closes a cycle: "
                      "'inode' -> 'mount table' -> 'inode'";
  Identity a = of(Rule::kLockOrder, {kMutex, kRead}, one);
  Identity b = of(Rule::kLockOrder, {kMutex, kRun}, other);
  EXPECT_EQ(a.where, "inode+mount_table");
  EXPECT_EQ(a.text(), b.text());
  EXPECT_EQ(a.text(), a.text_without_line());
  EXPECT_EQ(a.place.file, "kernel-src/fs/inode.cpp");
}

TEST(Identity, WhatIsLeftOverIsNamedAfterWhereItWasMade) {
  sim::Finding leak = finding_of(Rule::kLeakMemory);
  leak.stack.count = 1;
  leak.stack.pc[0] = 1;
  EXPECT_EQ(&identity_stack(leak), &leak.stack);
  leak.has_other = 1;
  leak.other.count = 1;
  EXPECT_EQ(&identity_stack(leak), &leak.other);
  leak.rule = Rule::kLockRecursion;
  EXPECT_EQ(&identity_stack(leak), &leak.stack);
}

TEST(Identity, FileStemsHaveTheTargetTheHashAndTheLine) {
  Identity identity = of(Rule::kUndefined, {kRead, kRun});
  EXPECT_EQ(file_stem("fs/ext2", identity), "fs-ext2-" + identity.short_hash() + "-118");
  Identity nowhere = of(Rule::kHang, {});
  EXPECT_EQ(file_stem("fs/ext2", nowhere), "fs-ext2-" + nowhere.short_hash());
}

} // namespace
} // namespace kiln::gates
