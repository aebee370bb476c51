// What the general operators make of small pieces of source. "=>" is a comparable choice, "->" any
// other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "mutants/operators/operator.h"
#include "tests/mutants/operators/collect.h"

namespace kiln::mutants {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Operators, NamesAreUniqueAndSaid) {
  std::set<std::string_view> seen;
  for (const auto& oper : all_operators()) {
    for (const Operator::Name& name : oper->names()) {
      EXPECT_TRUE(seen.insert(name.name).second) << name.name;
      EXPECT_FALSE(name.text.empty()) << name.name;
    }
  }
  EXPECT_GE(seen.size(), 35u);
}

TEST(DropCheck, OfWhatLeadsOut) {
  EXPECT_THAT(
      variants("drop-check", "int f(int a) { if (a > 3) { return 1; } if (a) f(a); return 0; }"),
      ElementsAre("a > 3 => (static_cast<void>(a > 3), false)"));
  EXPECT_THAT(variants("drop-check",
                       "void f(bool g()) { for (;;) { if (g()) continue; if (g()) break; } }"),
              ElementsAre("g() -> (static_cast<void>(g()), false)",
                          "g() -> (static_cast<void>(g()), false)"));
}

TEST(DropCheck, OfUnlikelyWaysOut) {
  EXPECT_THAT(
      variants("drop-check", "int f(int a) { if (a) [[unlikely]] { return 1; } return 0; }"),
      ElementsAre("a => (static_cast<void>(a), false)"));
}

TEST(DropCheck, OfPartsOfConditions) {
  EXPECT_THAT(variants("drop-check", "bool f(bool a, bool b, bool c) { return a && b && c; }"),
              ElementsAre("c => (static_cast<void>(c), true)", "a => (static_cast<void>(a), true)",
                          "b => (static_cast<void>(b), true)"));
  EXPECT_THAT(
      variants("drop-check", "bool f(bool a, bool b) { return a || !b; }"),
      ElementsAre("a => (static_cast<void>(a), false)", "!b => (static_cast<void>(!b), false)"));
}

TEST(DropCheck, WhereAConditionDeclares) {
  EXPECT_THAT(variants("drop-check", "int g(); int f() { if (int a = g()) return a; return 0; }"),
              ElementsAre("replace if (int a = g()) return a -> if (int a = g(); "
                          "(static_cast<void>(static_cast<bool>(a)), false)) return a;"));
  EXPECT_THAT(
      variants("drop-check", "int g(); int f() { if (g(); int a = g()) return a; return 0; }"),
      ElementsAre("unmade if (g(); int a = g()) return a: The condition declares a variable behind "
                  "another statement."));
}

TEST(DropCheck, NotOfTheCompilersConditions) {
  EXPECT_THAT(variants("drop-check",
                       "template <int n> int f() { if constexpr (n > 1) return 1; return 0; }"),
              IsEmpty());
}

constexpr const char* kTry =
    "struct R { bool ok(); int take(); int error(); int value_or(int); };"
    "struct V { bool ok(); void take(); int error(); };"
    "R g(); V h();\n"
    "#define TRY(x) ({ auto r = (x); if (!r.ok()) return r.error(); r.take(); })\n";

TEST(DropCheck, OfTheMacroThatReturnsErrors) {
  const std::string source = std::string(kTry) + "int f() { TRY(h()); return TRY(g()); }";
  EXPECT_THAT(variants("drop-check", source, "try: TRY"),
              ElementsAre("replace TRY(h()) -> static_cast<void>(h());",
                          "TRY(g()) -> (g()).value_or(::kiln_mutants::Zero())"));
  EXPECT_THAT(variants("drop-check", source), IsEmpty());
}

TEST(Negate, OfConditionsAndAnswers) {
  EXPECT_THAT(variants("negate", "bool f(int a, int* p) { while (a < 3) ++a; if (!p) return true;"
                                 " return p ? a : !a; }"),
              ElementsAre("a < 3 => !(a < 3)", "!p => static_cast<bool>(p)", "true => false",
                          "p ? a : !a => !(p ? a : !a)", "p => !(p)"));
}

TEST(Negate, WhereAConditionDeclares) {
  EXPECT_THAT(
      variants("negate", "int g(); void f() { if (int a = g()) { g(); } else { f(); } }"),
      ElementsAre("replace if (int a = g()) { g(); } else { f(); } -> if (int a = g(); !a) { "
                  "g(); } else { f(); };"));
  EXPECT_THAT(variants("negate", "int g(); void f() { while (int a = g()) {} }"),
              ElementsAre("unmade while (int a = g()) {}: The condition of the loop declares a "
                          "variable."));
}

TEST(Negate, NotOfEqualityNorOfEndlessLoops) {
  EXPECT_THAT(
      variants("negate", "void f(int a) { while (true) { if (a == 3) break; } for (;;) {} }"),
      IsEmpty());
}

TEST(Comparison, MovesBounds) {
  EXPECT_THAT(variants("boundary", "bool f(unsigned a, unsigned b) { return a < b; }"),
              ElementsAre("a < b => a <= b", "a < b => a < b && (b) - (a) != 1"));
  EXPECT_THAT(
      variants("boundary", "bool f(unsigned a, unsigned b) { return a + 1 >= b; }"),
      ElementsAre("a + 1 >= b => a + 1 > b", "a + 1 >= b => a + 1 >= b || (b) - (a + 1) == 1"));
  EXPECT_THAT(variants("boundary", "bool f(int g()) { return g() > 2; }"),
              ElementsAre("g() > 2 -> g() >= 2"));
}

TEST(Comparison, OfSignedNumbersDoesNotOverflow) {
  EXPECT_THAT(variants("boundary", "bool f(int a) { return a < 0; }"),
              ElementsAre("a < 0 => a <= 0", "a < 0 => a < 0 && (a) != (0) - 1"));
  EXPECT_THAT(variants("boundary", "bool f(long a, int b) { return a <= b; }"),
              ElementsAre("a <= b => a < b", "a <= b => a <= b || (b) == (a) - 1L"));
  // The lowest int is above the other, and one less is no int.
  EXPECT_THAT(variants("boundary", "bool f(int a, long long b) { return a > b; }"),
              ElementsAre("a > b => a >= b", "a > b => a > b && (b) != (a) - 1LL"));
}

TEST(Comparison, NotOfTheSmallerOfTwo) {
  EXPECT_THAT(variants("boundary", "unsigned f(unsigned a, unsigned b) { return a < b ? a : b; }"),
              ElementsAre("a < b => a < b && (b) - (a) != 1"));
}

TEST(Comparison, TurnsEqualityRound) {
  EXPECT_THAT(variants("equal", "bool f(int a, int* p) { return a == 1 || p != nullptr; }"),
              ElementsAre("a == 1 => a != 1", "p != nullptr => p == nullptr"));
  EXPECT_THAT(variants("equal", "struct S { bool operator==(const S&) const; };"
                                "bool f(S a, S b) { return a != b; }"),
              ElementsAre("a != b => !(a != b)"));
}

TEST(Arithmetic, TakesAnotherOperation) {
  EXPECT_THAT(variants("arithmetic", "int f(int a, int b) { return (a + b) * a - (a << b); }"),
              ElementsAre("(a + b) * a - (a << b) => (a + b) * a + (a << b)",
                          "(a + b) * a => (a + b) / a", "a + b => a - b", "a << b => a >> b"));
  EXPECT_THAT(
      variants("arithmetic", "void f(int& a) { a += 2; a--; for (int i = 0; i < a; ++i) {} }"),
      ElementsAre("a += 2 -> a -= 2", "a-- -> a++"));
  EXPECT_THAT(variants("arithmetic", "int f(int a, int b) { return a & b | a; }"),
              ElementsAre("a & b | a => (a & b) & (a)", "a & b => a | b"));
}

TEST(Arithmetic, NotWhereNothingChanges) {
  EXPECT_THAT(variants("arithmetic", "int f(int a) { return a * 1; }"), IsEmpty());
  EXPECT_THAT(variants("arithmetic", "long f(char* a, char* b) { return a - b; }"), IsEmpty());
}

TEST(Constant, OneMoreOneLessNone) {
  EXPECT_THAT(variants("constant", "unsigned f(unsigned a) { return a + 0x10u; }"),
              ElementsAre("0x10u => 0x11u", "0x10u => 0xFu", "0x10u => 0u"));
  EXPECT_THAT(variants("constant", "unsigned f(unsigned a) { return a / 1; }"),
              ElementsAre("1 => 2"));
  EXPECT_THAT(variants("constant", "void g(unsigned char); void f() { g(255); }"),
              ElementsAre("255 => 254", "255 => 0"));
  EXPECT_THAT(variants("constant", "void f(bool& done) { done = true; }"),
              ElementsAre("true => false"));
}

TEST(Constant, NotOfMereTypesAndBounds) {
  EXPECT_THAT(
      variants("constant", "long f(int a) { return a < 4 ? long{1} : static_cast<long>(0); }"),
      IsEmpty());
}

TEST(SwapArguments, OfOneType) {
  EXPECT_THAT(variants("swap-arguments", "int g(int, char*, int); int f(int a, char* p) {"
                                         " return g(a + 1, p, /* second */ a); }"),
              ElementsAre("g(a + 1, p, a) -> g(a, p, a + 1)"));
  EXPECT_THAT(variants("swap-arguments", "void g(int, int); void f(int a) { g(a, 2); }"),
              ElementsAre("replace g(a, 2) -> g(2, a);"));
  EXPECT_THAT(variants("swap-arguments", "int g(int, int); int f(int a) { return g(a, a); }"),
              IsEmpty());
  EXPECT_THAT(variants("swap-arguments", "int g(int, int); int f(int a) { return g(a, 2); }",
                       "symmetric: g"),
              IsEmpty());
}

TEST(DropCall, OfStatementsThatDoSomething) {
  EXPECT_THAT(variants("drop-call", "int g(int); constexpr int h(int a) { return a; }"
                                    "void f() { g(g(1)); static_cast<void>(g(2)); h(3); }"),
              ElementsAre("drop g(g(1))", "drop static_cast<void>(g(2))"));
}

TEST(DropCall, NotOfWhatIsLeftAlone) {
  const char* source = "void say(int); void stop(int); int g(int);\n"
                       "#define ASSERT(x) do { if (!(x)) stop(1); } while (0)\n"
                       "void f(int a) { say(a + 1); ASSERT(a < 3 && g(a)); if (a == 2) stop(a); }";
  EXPECT_THAT(collect(source, "log: say\npanic: stop\nassert: ASSERT").lines,
              ElementsAre("early-return: before if (a == 2) stop(a) -> return;",
                          "equal: a == 2 => a != 2", "constant: 2 => 3", "constant: 2 => 1",
                          "constant: 2 => 0"));
}

TEST(AnyOperator, NotOfLoopsThatAssertAndNothingElse) {
  const char* source = "void stop(int);\n"
                       "#define ASSERT(x) do { if (!(x)) stop(1); } while (0)\n"
                       "void f(const int* a) { for (int i = 1; i < 4; ++i) { ASSERT(a[i] > 0); } }";
  EXPECT_THAT(collect(source, "panic: stop\nassert: ASSERT").lines, IsEmpty());
  EXPECT_THAT(variants("equal", "int g(); void f() { while (g() != 1) {} }"),
              testing::Not(IsEmpty()))
      << "an empty body asserts nothing";
  EXPECT_THAT(variants("equal", "#define NEXT(x) (x)\nint g(); "
                                "void f(int a) { while (a != 1) { a = NEXT(g()); } }"),
              testing::Not(IsEmpty()))
      << "nor does a macro of another kind";
}

TEST(AnyOperator, NotOfSelfChecks) {
  const char* source = "bool sound(int a) { return a < 3; }\n"
                       "int f(int a) { return sound(a + 1) ? a * 5 : 0; }";
  const std::vector<std::string> lines = collect(source, "self-check: sound").lines;
  EXPECT_THAT(lines, testing::Not(testing::Contains(testing::HasSubstr("a < 3"))));
  EXPECT_THAT(lines, testing::Not(testing::Contains(testing::StartsWith("constant: 1 "))));
  EXPECT_THAT(lines, testing::Contains("arithmetic: a * 5 => a / 5"));
}

TEST(DropAssignment, OfStatements) {
  EXPECT_THAT(variants("drop-assignment", "void f(int& a) { a = 1; a += 2; ++a; int b = a++; }"),
              ElementsAre("drop a = 1", "drop a += 2", "drop ++a"));
}

TEST(EarlyReturn, OfAValueOfTheType) {
  EXPECT_THAT(variants("early-return", "int g(); int f() { g(); return g(); }"),
              ElementsAre("before g() -> return 0;"));
  EXPECT_THAT(variants("early-return", "bool f() { return false; }"),
              ElementsAre("before return false -> return true;"));
  EXPECT_THAT(variants("early-return", "template <typename T> struct R { using Value = T; R(T); };"
                                       "R<int> f(int a) { return R<int>(a); }"),
              testing::Contains(
                  "before return R<int>(a) -> return ::kiln_mutants::zero<R<int>::Value>();"));
  EXPECT_THAT(variants("early-return", "[[noreturn]] void f() { for (;;) {} } void g() {}"),
              IsEmpty());
}

TEST(SkipIteration, FirstOrAllButTheFirst) {
  EXPECT_THAT(
      variants("skip-iteration",
               "void g(int); void f(int (&all)[3]) { for (int a : all) { g(a); } }"),
      ElementsAre("after g(a) -> break;",
                  "replace for (int a : all) { g(a); } -> { bool kiln_first = true; for (int "
                  "a : all) { if (kiln_first) { kiln_first = false; continue; } { g(a); } } }"));
  EXPECT_THAT(
      variants("skip-iteration", "void g(int); void f() { for (int i = 0; i < 3; ++i) g(i); }"),
      ElementsAre("after g(i) -> break;"));
}

TEST(DropCase, OfCasesThatDoSomething) {
  EXPECT_THAT(variants("drop-case", "void g(); void f(int a) { switch (a) { case 1: g(); break;"
                                    " case 2: case 3: { g(); break; } default: break; } }"),
              ElementsAre("before g() -> break;", "before { g(); break; } -> break;"));
}

TEST(CheckedToWrapping, CallsTheTwin) {
  const char* source = "namespace a { template <typename T> struct R { R(T); };"
                       "template <typename T> R<T> checked_add(T, T);"
                       "template <typename T> T wrapping_add(T, T);\n"
                       "R<long> f(int b, int c) { checked_add(b, c);"
                       " return checked_add<long>(b, c); } }";
  EXPECT_THAT(
      variants("checked-to-wrapping", source,
               "checked-add: a::checked_add\nwrapping-add: a::wrapping_add"),
      ElementsAre("checked_add(b, c) -> decltype(checked_add(b, c))(::a::wrapping_add(b, c))",
                  "checked_add<long>(b, c) -> decltype(checked_add<long>(b, "
                  "c))(::a::wrapping_add<long>(b, c))"));
}

} // namespace
} // namespace kiln::mutants
