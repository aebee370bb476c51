#include <gtest/gtest.h>

#include "gates/mutation/equivalents.h"

namespace kiln::gates {
namespace {

constexpr char kBlock[] = "# The ring's.\n"
                          "Path: kernel-src/lib/ring.h\n"
                          "Function: clay::Ring::push\n"
                          "Operator: boundary\n"
                          "Change: a < b => a != b\n"
                          "Reason: a is never above b,\n"
                          "  since nobody else writes it.\n";

sim::Mutant mutant(const char* replacement) {
  sim::Mutant m{};
  m.path = "kernel-src/lib/ring.h";
  m.function = "clay::Ring::push";
  m.oper = "boundary";
  m.original = "a < b";
  m.replacement = replacement;
  return m;
}

std::string complaint(std::string_view text) {
  std::string error;
  EXPECT_FALSE(Equivalents::parse(text, &error).has_value());
  return error;
}

Equivalents parsed(std::string_view text) {
  std::string error;
  std::optional<Equivalents> list = Equivalents::parse(text, &error);
  EXPECT_EQ(error, "");
  return list.value_or(Equivalents());
}

TEST(Equivalents, ReadsABlockWhoseReasonGoesOn) {
  Equivalents list = parsed(kBlock);
  ASSERT_EQ(list.list().size(), 1u);
  EXPECT_EQ(list.list()[0].original, "a < b");
  EXPECT_EQ(list.list()[0].replacement, "a != b");
  EXPECT_EQ(list.list()[0].reason, "a is never above b, since nobody else writes it.");
  EXPECT_EQ(list.list()[0].line, 2u);
}

TEST(Equivalents, AChangeToNothing) {
  Equivalents list = parsed("Path: a\nFunction: f\nOperator: drop\nChange: g(); => \nReason: r\n");
  ASSERT_EQ(list.list().size(), 1u);
  EXPECT_EQ(list.list()[0].original, "g();");
  EXPECT_EQ(list.list()[0].replacement, "");
}

TEST(Equivalents, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(complaint("Path: a\nFunction: f\nOperator: o\nChange: x => y\n"),
            "line 1: the block has no Reason.");
  EXPECT_EQ(complaint("\n\nPath: a\nno colon here\n"),
            "line 4: there is no colon after the field's name.");
  EXPECT_EQ(complaint("Path: a\nChange: x -> y\n"),
            "line 2: a Change is 'original => replacement'.");
  EXPECT_EQ(complaint("Path: a\n  more\n"), "line 2: only a Reason may go on in a second line.");
  EXPECT_NE(complaint("Line: 3\n").find("'Line' is no field"), std::string::npos);
}

TEST(Equivalents, AForgottenEmptyLineSwallowsNoEntry) {
  EXPECT_EQ(complaint(std::string(kBlock) + kBlock),
            "line 9: the block has a second Path; an empty line may be missing before it.");
}

TEST(Equivalents, MatchesByTextAndTellsWhatIsStale) {
  const sim::Mutant table[] = {mutant("a <= b"), mutant("a != b"), mutant("a != b")};
  std::vector<std::string> stale;
  auto reasons = parsed(kBlock).match(table, &stale);
  EXPECT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons.count(0), 0u);
  EXPECT_TRUE(stale.empty());
  const sim::Mutant other[] = {mutant("a <= b")};
  EXPECT_TRUE(parsed(kBlock).match(other, &stale).empty());
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_NE(stale[0].find("line 2: no mutant is 'a < b => a != b'"), std::string::npos);
  stale.clear();
  EXPECT_TRUE(parsed(kBlock).match({}, &stale).empty());
  EXPECT_TRUE(stale.empty()) << "the program has no mutants of that file";
}

TEST(Equivalents, TheNthOfSeveralEqualChanges) {
  const sim::Mutant table[] = {mutant("a != b"), mutant("a <= b"), mutant("a != b")};
  std::vector<std::string> stale;
  auto reasons = parsed(std::string(kBlock) + "Nth: 2\n").match(table, &stale);
  EXPECT_EQ(reasons.size(), 1u);
  EXPECT_EQ(reasons.count(2), 1u);
}

} // namespace
} // namespace kiln::gates
