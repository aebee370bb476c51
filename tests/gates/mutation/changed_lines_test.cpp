#include <gtest/gtest.h>

#include "gates/mutation/changed_lines.h"

namespace kiln::gates {
namespace {

constexpr char kDiff[] = "diff --git a/kernel-src/a.cpp b/kernel-src/a.cpp\n"
                         "--- a/kernel-src/a.cpp\n"
                         "+++ b/kernel-src/a.cpp\n"
                         "@@ -10 +12,2 @@ void f()\n"
                         "-old\n+new\n+new\n"
                         "@@ -30,2 +33,0 @@\n"
                         "-gone\n-gone\n"
                         "diff --git a/b.h b/b.h\n"
                         "--- a/b.h\n"
                         "+++ /dev/null\n"
                         "@@ -1 +0,0 @@\n"
                         "-gone\n";

TEST(ChangedLines, TakesTheNewerSidesLines) {
  ChangedLines changed = changed_lines(kDiff);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_FALSE(touches(changed, "kernel-src/a.cpp", 11, 11));
  EXPECT_TRUE(touches(changed, "kernel-src/a.cpp", 12, 12));
  EXPECT_TRUE(touches(changed, "kernel-src/a.cpp", 13, 20));
  EXPECT_FALSE(touches(changed, "kernel-src/a.cpp", 14, 20));
  EXPECT_TRUE(touches(changed, "kernel-src/a.cpp", 1, 100));
  EXPECT_FALSE(touches(changed, "b.h", 1, 1));
}

TEST(ChangedLines, LinesBesideWhatWasTakenOutCount) {
  ChangedLines changed = changed_lines(kDiff);
  EXPECT_FALSE(touches(changed, "kernel-src/a.cpp", 32, 32));
  EXPECT_TRUE(touches(changed, "kernel-src/a.cpp", 33, 33));
  EXPECT_TRUE(touches(changed, "kernel-src/a.cpp", 34, 34));
  EXPECT_FALSE(touches(changed, "kernel-src/a.cpp", 35, 35));
}

TEST(ChangedLines, ALineThatLooksLikeAHeaderIsNone) {
  ChangedLines changed = changed_lines("--- a/a.cpp\n"
                                       "+++ b/a.cpp\n"
                                       "@@ -1 +1,2 @@\n"
                                       "--- x;\n"
                                       "+++ x;\n"
                                       "+@@ -1 +500 @@\n"
                                       "\\ No newline at end of file\n"
                                       "@@ -30 +40 @@\n"
                                       "-old\n+new\n");
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_TRUE(touches(changed, "a.cpp", 2, 2));
  EXPECT_TRUE(touches(changed, "a.cpp", 40, 40));
  EXPECT_FALSE(touches(changed, "a.cpp", 41, 1000));
}

TEST(ChangedLines, ANameWithBlanksEndsInATab) {
  ChangedLines changed = changed_lines("--- a/a b.cpp\t\n+++ b/a b.cpp\t\n@@ -1 +1 @@\n-a\n+b\n");
  EXPECT_TRUE(touches(changed, "a b.cpp", 1, 1));
}

TEST(ChangedLines, RefusesWhatIsNoRevision) {
  std::string error;
  EXPECT_FALSE(lines_changed_since("", "HEAD", &error).has_value());
  EXPECT_NE(error.find("checkout"), std::string::npos);
  EXPECT_FALSE(lines_changed_since(".", "--output=x", &error).has_value());
  EXPECT_NE(error.find("knows no revision '--output=x'"), std::string::npos);
}

} // namespace
} // namespace kiln::gates
