#include <gtest/gtest.h>

#include "mutants/operators/text.h"

namespace kiln::mutants {
namespace {

TEST(Text, GoesOnOneLineWithoutComments) {
  EXPECT_EQ(one_line("a  +\n\tb // the sum\n * c"), "a + b * c");
  EXPECT_EQ(one_line("f(/* first */ a,/**/b)"), "f( a, b)");
  EXPECT_EQ(one_line("1'000 + '\"' + \"//\" \"a  b\""), "1'000 + '\"' + \"//\" \"a  b\"");
  EXPECT_EQ(one_line("R\"(a\")\" // b"), "R\"(a\")\"");
}

TEST(Text, StaysOnItsLinesWhereItMust) {
  EXPECT_EQ(one_line("a\n#if B\n+ b\n#endif\n"), std::nullopt);
  EXPECT_EQ(one_line("R\"(a\nb)\""), std::nullopt);
}

TEST(Text, IsTrimmed) {
  EXPECT_EQ(trimmed(" \ta b\r"), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
}

} // namespace
} // namespace kiln::mutants
