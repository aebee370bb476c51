#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "gates/finding/symbolize.h"

namespace kiln::gates {
namespace {

// Where the call below returns to, in this very program.
[[gnu::noinline]] uint64_t caller() {
  return reinterpret_cast<uint64_t>(__builtin_return_address(0));
}

struct Probed {
  [[gnu::always_inline]] static uint64_t inner() {
    uint64_t pc = caller();
    asm volatile("" : "+r"(pc)); // not a tail call
    return pc;
  }
};

[[gnu::noinline]] uint64_t outer() {
  uint64_t pc = Probed::inner();
  asm volatile("" : "+r"(pc));
  return pc;
}

bool has_tool() { return Symbolizer().at(outer()).front().line != 0; }

TEST(Symbolize, NamesFunctionFileLineAndInlinedFrames) {
  if (!has_tool()) GTEST_SKIP() << "no llvm-symbolizer-19 here";
  Symbolizer symbolizer;
  const std::vector<Frame>& frames = symbolizer.at(outer());
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_TRUE(frames[0].function.ends_with("inner")) << frames[0].function;
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_EQ(frames[0].file, "tests/gates/symbolize_test.cpp");
  EXPECT_EQ(frames[0].line, 18U);
  EXPECT_TRUE(frames[1].function.ends_with("outer")) << frames[1].function;
  EXPECT_FALSE(frames[1].inlined);
  EXPECT_EQ(symbolizer.take_trouble(), "");
}

TEST(Symbolize, StacksAreInOrderAndAnswersAreKept) {
  if (!has_tool()) GTEST_SKIP() << "no llvm-symbolizer-19 here";
  Symbolizer symbolizer;
  sim::Stack stack{};
  stack.count = 2;
  stack.pc[0] = stack.pc[1] = outer();
  std::vector<Frame> frames = symbolizer.frames(stack);
  ASSERT_EQ(frames.size(), 4U);
  EXPECT_EQ(frames[0].function, frames[2].function);
  EXPECT_EQ(&symbolizer.at(outer()), &symbolizer.at(outer()));
  EXPECT_TRUE(symbolizer.place(outer()).ends_with("inner (tests/gates/symbolize_test.cpp:18)"))
      << symbolizer.place(outer());
}

TEST(Symbolize, AnAddressOfNothingIsItsOwnName) {
  Symbolizer symbolizer;
  const std::vector<Frame>& frames = symbolizer.at(0x10);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "0x10");
  EXPECT_EQ(frames[0].line, 0U);
  EXPECT_TRUE(symbolizer.at(0).empty());
  EXPECT_EQ(symbolizer.place(0), "");
}

TEST(Symbolize, AMissingToolIsSaidOnceAndNothingFails) {
  Symbolizer symbolizer("/proc/self/exe", "no-such-symbolizer-here");
  EXPECT_EQ(symbolizer.at(0x401000).front().function, "0x401000");
  EXPECT_EQ(symbolizer.at(0x402000).front().function, "0x402000");
  std::string trouble = symbolizer.take_trouble();
  EXPECT_NE(trouble.find("no-such-symbolizer-here"), std::string::npos) << trouble;
  EXPECT_NE(trouble.find("llvm-19"), std::string::npos) << trouble;
  EXPECT_EQ(symbolizer.take_trouble(), "");
}

TEST(Symbolize, AToolThatHasEndedIsStartedAgain) {
  std::string tool = testing::TempDir() + "kiln-one-answer";
  std::ofstream(tool) << R"(#!/bin/sh
read question
echo '{"Symbol":[{"FunctionName":"f","FileName":"a.cpp","Line":7}]}'
)";
  ASSERT_EQ(chmod(tool.c_str(), 0700), 0);
  Symbolizer symbolizer("/proc/self/exe", tool);
  EXPECT_EQ(symbolizer.at(0x401000).front().function, "f");
  EXPECT_EQ(symbolizer.at(0x402000).front().function, "f");
  EXPECT_EQ(symbolizer.take_trouble(), "");
  std::remove(tool.c_str());
}

TEST(Symbolize, AToolThatEndsAtOnceIsSaidOnce) {
  Symbolizer symbolizer("/proc/self/exe", "/bin/false");
  EXPECT_EQ(symbolizer.at(0x401000).front().function, "0x401000");
  EXPECT_EQ(symbolizer.at(0x402000).front().function, "0x402000");
  EXPECT_NE(symbolizer.take_trouble(), "");
}

} // namespace
} // namespace kiln::gates
