#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutants/named/patch.h"
#include "tests/mutants/snippet.h"

namespace kiln::mutants {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kHead =
    "Kind: B1\nTarget: a/b\nWithin: 100\nWas: Once upon a time\n there was.\n\n";
const std::string kProgram = R"(#include <cstdio>

int limit() {
  return 3;
}

int twice(int v) { return v * 2; }

int main() {
  printf("%d %d", limit(), twice(5));
}
)";
const std::string kOfLimit =
    "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -13,3 +13,4 @@\n"
    " int limit() {\n-  return 3;\n+  int wrong = 4;\n+  return wrong;\n }\n";
const std::string kOfTwice = "@@ -7 +7 @@\n-int twice(int v) { return v * 2; }\n"
                             "+int twice(int v) { return v * 3; }\n";

TEST(Patch, HeadAndHunksAreRead) {
  std::string error;
  auto patch = parse_patch("b01-x", kHead + kOfLimit, &error);
  ASSERT_TRUE(patch) << error;
  EXPECT_EQ(patch->kind, "B1");
  EXPECT_EQ(patch->within, 100u);
  EXPECT_EQ(patch->was, "Once upon a time there was.");
  ASSERT_EQ(patch->files.size(), 1u);
  EXPECT_EQ(patch->files[0].hunks[0].fresh.size(), 4u);
}

TEST(Patch, MistakesAreNamedByLine) {
  std::string error;
  EXPECT_FALSE(parse_patch("x", "Kind: B1\nWithin: many\n--- a/f\n+++ b/f\n", &error));
  EXPECT_THAT(error, HasSubstr("x.patch:2: "));
  EXPECT_FALSE(parse_patch("x", kHead + "--- a/f\n+++ b/g\n", &error));
  EXPECT_THAT(error, HasSubstr("x.patch:7: "));
  EXPECT_FALSE(parse_patch("x", kHead + "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n a\n", &error));
  EXPECT_THAT(error, HasSubstr("the hunk ends too early"));
}

TEST(Patch, SeveralFunctionsAreOneMutantAndHunksMayHaveMoved) {
  Snippet snippet;
  snippet.file("src/a.cpp", kProgram);
  snippet.patch("b01-both", kHead + kOfLimit + kOfTwice);
  snippet.patch("b02-twice", kHead + "--- a/src/a.cpp\n+++ b/src/a.cpp\n" + kOfTwice);
  ASSERT_TRUE(snippet.rewrite({"arithmetic"})) << snippet.error;
  ASSERT_TRUE(snippet.build()) << snippet.error;
  size_t count = snippet.rows.size();
  EXPECT_EQ(snippet.rows[count - 2].sites.size(), 2u);
  EXPECT_EQ(snippet.output(-1), "3 10");
  EXPECT_EQ(snippet.output(static_cast<int>(count) - 2), "4 15");
  EXPECT_EQ(snippet.output(static_cast<int>(count) - 1), "3 15");
}

TEST(Patch, AChangeOutsideOfFunctionsIsRefused) {
  Snippet snippet;
  snippet.file("src/a.cpp", kProgram);
  snippet.patch("b01-x", kHead + "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -7 +7 @@\n"
                                 "-int twice(int v) { return v * 2; }\n"
                                 "+long twice(int v) { return v * 2; }\n");
  EXPECT_FALSE(snippet.rewrite({}));
  EXPECT_THAT(snippet.error, AllOf(HasSubstr("b01-x.patch:9"), HasSubstr("src/a.cpp:7"),
                                   HasSubstr("not inside of a function's body")));
}

TEST(Patch, AHunkThatDoesNotFitIsRefused) {
  Snippet snippet;
  snippet.file("src/a.cpp", kProgram);
  snippet.patch("b01-x", kHead + "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -7 +7 @@\n-gone\n+here\n");
  EXPECT_FALSE(snippet.rewrite({}));
  EXPECT_THAT(snippet.error, HasSubstr("does not fit src/a.cpp any more"));
}

TEST(Patch, APatchThatDoesNotCompileIsRefused) {
  Snippet snippet;
  snippet.file("src/a.cpp", kProgram);
  snippet.patch("b01-x", kHead + "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -4 +4 @@\n-  return 3;\n"
                                 "+  return missing;\n");
  EXPECT_FALSE(snippet.rewrite({}));
  EXPECT_THAT(snippet.error, HasSubstr("b01-x.patch does not compile in src/a.cpp"));
}

} // namespace
} // namespace kiln::mutants
