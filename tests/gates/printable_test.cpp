#include <gtest/gtest.h>

#include "gates/support/printable.h"
#include "gates/support/style.h"

namespace kiln::gates {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesPlainTextAndUtf8) {
  EXPECT_EQ(printable("out/findings/x.hex"), "out/findings/x.hex");
  EXPECT_EQ(printable("Größe, 中文, 🙂"), "Größe, 中文, 🙂");
}

TEST(Printable, EscapesWhatMovesTheCursorOrBeginsALine) {
  EXPECT_EQ(printable("a\nkiln: b"), "a\\nkiln: b");
  EXPECT_EQ(printable("\x1b[2Ja\r\t\x7f"), "\\x1b[2Ja\\x0d\\t\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J")
      << "CSI as one character";
  EXPECT_EQ(printable("a\0b"s), "a\\x00b");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
}

TEST(Printable, LinesKeepNewlinesAndOurOwnColours) {
  std::string text = Style(true).bad("FINDING") + "\n\tx\n";
  EXPECT_EQ(printable_lines(text), text);
  EXPECT_EQ(printable_lines("\x1b]0;title\x07\x1b[5;1H"), "\\x1b]0;title\\x07\\x1b[5;1H");
}

TEST(ShellWord, IsQuotedWhereItMustBe) {
  EXPECT_EQ(shell_word("out/findings/a-1.hex"), "out/findings/a-1.hex");
  EXPECT_EQ(shell_word("some where"), "'some where'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a\nb'c\\"), "$'a\\nb\\'c\\\\'");
}

} // namespace
} // namespace kiln::gates
