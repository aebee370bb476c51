#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "gates/finding/symbolize.h"
#include "gates/worker/asan_report.h"

namespace kiln::gates {
namespace {

constexpr const char* kUseAfterFree = R"(
=================================================================
==17139==ERROR: AddressSanitizer: heap-use-after-free on address 0x502000000010 at pc 0x00000050bf73 bp 0x7ffd3e113d10 sp 0x7ffd3e113d08
READ of size 4 at 0x502000000010 thread T0
    #0 0x00000050bf72  (/x/kiln+0x50bf72) (BuildId: 9bc9)
    #1 0x7f8020d65249  (/lib/x86_64-linux-gnu/libc.so.6+0x27249) (BuildId: 93ac)
    #2 0x00000042a330  (/x/kiln+0x42a330) (BuildId: 9bc9)

0x502000000010 is located 0 bytes inside of 16-byte region [0x502000000010,0x502000000020)
freed by thread T0 here:
    #0 0x0000004c9336  (/x/kiln+0x4c9336) (BuildId: 9bc9)
    #1 0x00000050bf3a  (/x/kiln+0x50bf3a) (BuildId: 9bc9)

previously allocated by thread T0 here:
    #0 0x0000004c95cf  (/x/kiln+0x4c95cf) (BuildId: 9bc9)

SUMMARY: AddressSanitizer: heap-use-after-free (/x/kiln+0x50bf72) (BuildId: 9bc9)
Shadow bytes around the buggy address:
  0x501ffffffd80: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
)";

sim::Finding parse(std::string_view text) {
  sim::Finding finding{};
  EXPECT_TRUE(parse_asan_report(text, &finding));
  return finding;
}

TEST(AsanReport, UseAfterFreeHasBothStacksAndNoAddressInItsHeadline) {
  sim::Finding finding = parse(kUseAfterFree);
  EXPECT_EQ(finding.rule, sim::Rule::kAddress);
  EXPECT_STREQ(finding.headline,
               "heap-use-after-free: reads 4 bytes, 0 bytes inside of 16-byte region");
  ASSERT_EQ(finding.stack.count, 2U);
  EXPECT_EQ(finding.stack.pc[0], 0x50bf73U);
  EXPECT_EQ(finding.stack.pc[1], 0x42a331U);
  EXPECT_TRUE(finding.has_other);
  EXPECT_STREQ(finding.other_label, "the memory was given back here");
  ASSERT_EQ(finding.other.count, 2U);
  EXPECT_EQ(finding.other.pc[1], 0x50bf3bU);
}

TEST(AsanReport, ThePlaceAmongGlobalsIsTheNearest) {
  sim::Finding finding = parse(
      "==1==ERROR: AddressSanitizer: global-buffer-overflow on address 0x000000f1bf10 at pc 0x1\n"
      "WRITE of size 1 at 0x000000f1bf10 thread T0\n"
      "    #0 0x00000050c072  (/x/kiln+0x50c072)\n\n"
      "0x000000f1bf10 is located 16 bytes before global variable 'f()::a' defined in 'as.cpp' "
      "(0x000000f1bf20) of size 64\n"
      "0x000000f1bf10 is located 0 bytes after global variable 'g' defined in 'as.cpp' "
      "(0x000000f1bf00) of size 16\n");
  EXPECT_STREQ(finding.headline, "global-buffer-overflow: writes 1 byte, 0 bytes after global "
                                 "variable 'g' defined in 'as.cpp' of size 16");
  EXPECT_FALSE(finding.has_other);
}

TEST(AsanReport, StackAccessesNameTheVariable) {
  sim::Finding finding = parse(
      "==1==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffcd6796130 at pc 0x1\n"
      "READ of size 4 at 0x7ffcd6796130 thread T0\n"
      "    #0 0x00000050c033  (/x/kiln+0x50c033)\n\n"
      "Address 0x7ffcd6796130 is located in stack of thread T0 at offset 48 in frame\n"
      "    #0 0x00000050bf8f  (/x/kiln+0x50bf8f)\n\n"
      "  This frame has 1 object(s):\n"
      "    [32, 48) 'buf' (line 8) <== Memory access at offset 48 overflows this variable\n");
  EXPECT_STREQ(finding.headline, "stack-buffer-overflow: reads 4 bytes, at 'buf'");
  EXPECT_EQ(finding.stack.count, 1U);
}

TEST(AsanReport, FaultsAndStackOverflowsHaveTheirOwnRules) {
  sim::Finding finding = parse(
      "AddressSanitizer:DEADLYSIGNAL\n"
      "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x50c08d bp 0x2)\n"
      "==1==The signal is caused by a WRITE memory access.\n"
      "==1==Hint: address points to the zero page.\n"
      "    #0 0x00000050c08d  (/x/kiln+0x50c08d)\n");
  EXPECT_EQ(finding.rule, sim::Rule::kCrash);
  EXPECT_STREQ(finding.headline, "SEGV: by a write");
  EXPECT_EQ(finding.stack.count, 1U);
  finding =
      parse("==1==ERROR: AddressSanitizer: stack-overflow on address 0x7ff (pc 0x1 bp 0x2)\n");
  EXPECT_EQ(finding.rule, sim::Rule::kStackOverflow);
  EXPECT_EQ(finding.stack.count, 0U);
  finding = parse("==1==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread T0:\n"
                  "    #0 0x00000050c08d  (/x/kiln+0x50c08d)\n");
  EXPECT_STREQ(finding.headline, "attempting double-free");
}

TEST(AsanReport, OtherTextIsNone) {
  sim::Finding finding{};
  EXPECT_FALSE(parse_asan_report("", &finding));
  EXPECT_FALSE(parse_asan_report("a.cpp:1: runtime error: signed integer overflow", &finding));
}

TEST(AsanReport, AnyCutAndAnyBrokenByteIsSurvived) {
  std::string text = kUseAfterFree;
  for (size_t size = 0; size < text.size(); ++size) {
    sim::Finding finding{};
    parse_asan_report(std::string_view(text).substr(0, size), &finding);
    std::string broken = text;
    broken[size] = static_cast<char>('#' ^ size);
    parse_asan_report(broken, &finding);
    EXPECT_LE(finding.stack.count, sim::kStackFrames);
  }
}

#if __has_feature(address_sanitizer)
[[gnu::noinline]] int read_past(volatile int* block, int index) { return block[index]; }

std::string report_of_a_real_overflow() {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    auto* block = new int[4];
    _exit(read_past(block, 4));
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(size));
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

TEST(AsanReport, TheRuntimesOwnWordsAreUnderstood) {
  sim::Finding finding = parse(report_of_a_real_overflow());
  EXPECT_STREQ(finding.headline,
               "heap-buffer-overflow: reads 4 bytes, 0 bytes after 16-byte region");
  EXPECT_STREQ(finding.other_label, "the memory was taken here");
  ASSERT_GT(finding.stack.count, 0U);
  Symbolizer symbolizer;
  const Frame& frame = symbolizer.at(finding.stack.pc[0]).front();
  if (frame.line == 0) GTEST_SKIP() << "no llvm-symbolizer-19 here";
  EXPECT_TRUE(frame.function.ends_with("read_past")) << frame.function;
  EXPECT_EQ(frame.file, "tests/gates/asan_report_test.cpp");
}
#endif

} // namespace
} // namespace kiln::gates
