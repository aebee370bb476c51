#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutants/rewrite/rewrite.h"
#include "tests/mutants/snippet.h"

namespace kiln::mutants {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

size_t lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Rewrite, MutantsRunWhenTheyAreSwitchedOnAndOnlyThen) {
  Snippet snippet;
  snippet.file("src/a.cpp", R"(#include <cstdio>
bool below(int a, int b) { return a < b && (a + 1) < 9; }
int main() { printf("%d%d%d", below(1, 1), below(1, 2), below(8, 9)); }
)");
  ASSERT_TRUE(snippet.rewrite({"boundary", "arithmetic"})) << snippet.error;
  ASSERT_TRUE(snippet.build()) << snippet.error;
  EXPECT_EQ(snippet.output(-1), "010");
  std::vector<std::string> mutants = snippet.mutants();
  ASSERT_THAT(mutants, Contains("boundary: a < b -> a <= b"));
  size_t looser = static_cast<size_t>(
      std::find(mutants.begin(), mutants.end(), "boundary: a < b -> a <= b") - mutants.begin());
  EXPECT_EQ(snippet.output(static_cast<int>(looser)), "110");
}

TEST(Rewrite, SitesLieInsideOfOthersAndLinesStay) {
  Snippet snippet;
  const char* original = R"(void act(int);
void f(int a, int b) {
  if (a < // the bound
      b) {
    while (a < b)
      act(a + (b < 1 ? a : b));
  }
}
)";
  snippet.file("src/a.cpp", original);
  ASSERT_TRUE(snippet.rewrite({"boundary", "arithmetic", "drop-call", "drop-check"}))
      << snippet.error;
  EXPECT_EQ(lines(snippet.text("src/a.cpp")), lines(original));
  EXPECT_THAT(snippet.text("src/a.cpp"),
              AllOf(HasSubstr("KILN_TICK();"), HasSubstr("// the bound")));
  EXPECT_THAT(snippet.unmade(), IsEmpty());
}

TEST(Rewrite, WhatTheCompilerEvaluatesStaysTheSame) {
  Snippet snippet;
  snippet.file("src/a.cpp", R"(#include <cstdio>
constexpr int most(int a, int b) {
  for (int i = 0; i < 1; ++i) {}
  return a < b ? b : a;
}
static_assert(most(2, 3) == 3);
template <int N> int twice() { return N * 2; }
int table[most(3, 4)];
int main() {
  constexpr int kFour = most(4, 4 < 5 ? 1 : 2);
  switch (kFour) {
  case most(4, 1): printf("%d %d", most(7, 8), twice<most(1, 2)>()); break;
  default: break;
  }
}
)");
  ASSERT_TRUE(snippet.rewrite({"boundary", "negate", "arithmetic", "equal"})) << snippet.error;
  EXPECT_THAT(snippet.text("src/a.cpp"),
              AllOf(HasSubstr("KILN_AT_CONSTEXPR("), HasSubstr("KILN_TICK_CONSTEXPR()")));
  EXPECT_THAT(snippet.unmade(),
              Contains("boundary: The compiler needs the value of a constexpr variable."));
  ASSERT_TRUE(snippet.build()) << snippet.error;
  EXPECT_EQ(snippet.output(-1), "8 4");
}

TEST(Rewrite, WhatIsAskedOfTheCompilerStaysAsItIsWritten) {
  Snippet snippet;
  snippet.file("src/a.cpp", R"(#include <cstdio>
int main(int count, char**) {
  printf("%d %d", __builtin_constant_p(3 < 4), count < 2);
}
)");
  ASSERT_TRUE(snippet.rewrite({"boundary"})) << snippet.error;
  EXPECT_THAT(snippet.mutants(), Not(Contains(HasSubstr("3 < 4"))));
  EXPECT_THAT(snippet.mutants(), Contains("boundary: count < 2 -> count <= 2"));
  ASSERT_TRUE(snippet.build()) << snippet.error;
  EXPECT_EQ(snippet.output(-1), "1 1");
}

TEST(Rewrite, TemplatesAndLambdasAreSubjects) {
  Snippet snippet;
  snippet.file("src/a.cpp", R"(#include <cstdio>
template <typename T> T most(T a, T b) { if (a < b) return b; return a; }
int main() {
  auto under = [limit = 3](auto v) { return v < limit; };
  constexpr bool kUnder = [](int v) { return v < 3; }(2);
  printf("%d %.1f %d %d", most(1, 2), most(2.5, 1.5), under(3), kUnder);
}
)");
  ASSERT_TRUE(snippet.rewrite({"boundary"})) << snippet.error;
  EXPECT_THAT(snippet.mutants(), AllOf(Contains("boundary: a < b -> a <= b"),
                                       Contains("boundary: v < limit -> v <= limit")));
  // A lambda's body is seen more than once.
  EXPECT_THAT(snippet.unmade(),
              ElementsAre("boundary: The compiler needs the value of a constexpr variable."));
  ASSERT_TRUE(snippet.build()) << snippet.error;
  EXPECT_EQ(snippet.output(-1), "2 2.5 0 1");
}

TEST(Rewrite, ArgumentsOfMacrosAreMutatedUnlessTheyArePrinted) {
  Snippet snippet;
  snippet.file("src/a.cpp", R"(#define PASS(x) (x)
#define SHOWN(x) ((x) ? "" : #x)
#define BODY(a, b) (a < b ? 1 : 0)
bool f(int a) { return PASS(a < 1); }
const char* g(int a) { return SHOWN(a < 2); }
int h(int a) { return BODY(a, 3); }
)");
  ASSERT_TRUE(snippet.rewrite({"boundary"})) << snippet.error;
  EXPECT_THAT(snippet.text("src/a.cpp"), AllOf(HasSubstr("PASS((KILN_AT("),
                                               HasSubstr("SHOWN(a < 2)"), HasSubstr("BODY(a, 3)")));
}

TEST(Rewrite, WhatDoesNotCompileIsTakenOutAndSaid) {
  Snippet snippet;
  snippet.file("src/a.cpp",
               R"(struct Full { explicit Full(int v) : value(v) {} ~Full() {} int value; };
Full make(int a) { return Full(a); }
bool fine(int a) { return a < 1; }
)");
  ASSERT_TRUE(snippet.rewrite({"early-return", "boundary"})) << snippet.error;
  EXPECT_THAT(snippet.unmade(), Contains(HasSubstr("early-return: It does not compile: ")));
  EXPECT_THAT(snippet.mutants(), Contains("boundary: a < 1 -> a <= 1"));
}

TEST(Rewrite, TypesSurvive) {
  Snippet snippet;
  snippet.file("src/a.cpp", R"(#include <cstdio>
const char* name(int) { return "int"; }
const char* name(bool) { return "bool"; }
const char* name(unsigned char) { return "byte"; }
struct Bits { unsigned low : 3; };
struct Byte { unsigned char value; };
int main() {
  unsigned char byte = 7;
  Bits bits{2};
  Byte braces{200};
  auto copy = byte;
  int* none = nullptr;
  printf("%s %s %zu %d %d %d", name(copy), name(byte < 3), sizeof copy, bits.low - 3 < 0,
         braces.value == 200, none ? 1 : 0);
}
)");
  ASSERT_TRUE(snippet.rewrite({"boundary", "constant", "arithmetic", "equal", "negate"}))
      << snippet.error;
  ASSERT_TRUE(snippet.build()) << snippet.error;
  EXPECT_EQ(snippet.output(-1), "byte bool 1 1 1 0");
}

TEST(Rewrite, HeadersHaveTheirSitesOnce) {
  Snippet snippet;
  snippet.file("src/low.h", "#pragma once\ninline bool low(int a) { return a < 1; }\n");
  snippet.file("src/a.cpp", "#include \"src/low.h\"\nbool a(int v) { return low(v); }\n");
  snippet.file("src/b.cpp", "#include \"low.h\"\nbool b(int v) { return low(v); }\n"
                            "int main() { return low(1); }\n");
  ASSERT_TRUE(snippet.rewrite({"boundary"})) << snippet.error;
  EXPECT_THAT(snippet.mutants(), ElementsAre("boundary: a < 1 -> a <= 1",
                                             "boundary: a < 1 -> a < 1 && (a) != (1) - 1"));
  EXPECT_THAT(snippet.text("src/b.cpp"), Not(HasSubstr("KILN_AT")));
  EXPECT_TRUE(snippet.build()) << snippet.error;
}

TEST(Rewrite, JobsDoNotChangeTheResult) {
  auto table = [](unsigned jobs) {
    Snippet snippet;
    for (char name : {'a', 'b', 'c', 'd'}) {
      snippet.file(std::string("src/") + name + ".cpp",
                   "#include \"h.h\"\nbool f(int v) { return h(v) < 2; }\n");
    }
    snippet.file("src/h.h", "inline int h(int v) { return v > 1 ? v - 1 : v; }\n");
    EXPECT_TRUE(snippet.rewrite({"boundary", "arithmetic", "constant"}, jobs)) << snippet.error;
    return snippet.mutants();
  };
  EXPECT_EQ(table(1), table(4));
}

TEST(Rewrite, AnOriginalThatDoesNotCompileIsRefused) {
  Snippet snippet;
  snippet.file("src/a.cpp", "int f() { return missing; }\n");
  EXPECT_FALSE(snippet.rewrite({"boundary"}));
  EXPECT_THAT(snippet.error,
              AllOf(HasSubstr("the original does not compile"), HasSubstr("a.cpp:1")));
}

} // namespace
} // namespace kiln::mutants
