#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutants/named/patch.h"
#include "mutants/rewrite/render.h"
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

TEST(Patch, AFileMustBeChanged) {
  std::string error;
  EXPECT_FALSE(parse_patch("x", kHead + kOfLimit + "--- a/f\n+++ b/f\n", &error));
  EXPECT_THAT(error, HasSubstr("it changes nothing in f"));
  EXPECT_FALSE(parse_patch("x", kHead + "--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n", &error));
  EXPECT_THAT(error, HasSubstr("the hunk changes nothing"));
  EXPECT_FALSE(parse_patch("x", kHead + "--- a/f\n+++ b/f\n@@ -1,0 +2 @@\n+a\n", &error));
  EXPECT_THAT(error, HasSubstr("no line of the file"));
  EXPECT_FALSE(parse_patch("x", kHead + kOfLimit + kOfLimit, &error));
  EXPECT_THAT(error, HasSubstr("src/a.cpp is named twice"));
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

TEST(Patch, HunksDoNotShareLines) {
  std::string error;
  const std::string hunk = "@@ -2 +2 @@\n-  one();\n+  two();\n";
  auto patch = parse_patch("b01-x", kHead + "--- a/f\n+++ b/f\n" + hunk + hunk, &error);
  ASSERT_TRUE(patch) << error;
  EXPECT_FALSE(find_changes(*patch, patch->files[0], "{\n  one();\n}\n", &error));
  EXPECT_THAT(error, AllOf(HasSubstr("b01-x.patch:12"), HasSubstr("does not fit f")));
  auto changes =
      find_changes(*patch, patch->files[0], "  one();\n{\n  one();\n}\n  one();\n", &error);
  ASSERT_TRUE(changes) << error;
  EXPECT_LT((*changes)[0].span.end, (*changes)[1].span.begin);
}

TEST(Patch, AHunkIsFoundHoweverFarItHasMoved) {
  std::string error;
  auto patch = parse_patch(
      "b01-x", kHead + "--- a/f\n+++ b/f\n@@ -4000000000 +9 @@\n-  one();\n+  two();\n", &error);
  ASSERT_TRUE(patch) << error;
  EXPECT_TRUE(find_changes(*patch, patch->files[0], "{\n  one();\n}\n", &error)) << error;
}

TEST(Patch, WhatCrossesAnotherMutantIsToldOf) {
  SourceFile file;
  file.text = "{ a; b; }";
  Site drop;
  drop.shape = Shape::kDrop;
  drop.span = {0, 5};
  drop.variants.push_back({"drop-call", "", false});
  Site named;
  named.shape = Shape::kNamed;
  named.span = {2, 9};
  named.named = 7;
  named.variants.push_back({"b01-x", "{}", false});
  file.sites = {named, drop};
  EXPECT_THAT(number_sites(file), testing::ElementsAre(7));
  EXPECT_EQ(file.sites.size(), 1u);
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
