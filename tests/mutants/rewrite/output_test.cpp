#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutants/rewrite/files.h"
#include "mutants/rewrite/output.h"
#include "tests/mutants/snippet.h"

namespace kiln::mutants {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  bool write() {
    Work work;
    work.subject.root = snippet.root();
    work.subject.kernel_folders = {"."};
    return write_tree({}, {}, work, out, &error);
  }

  Snippet snippet;
  std::string out = snippet.root() + "/out";
  std::string error;
};

TEST_F(Output, IsAMirrorThatNamesTheOriginals) {
  snippet.file("src/a.h", "int a;\n");
  snippet.file("build/a.h", "int a;\n");
  snippet.file("build_tools/a.h", "int b;\n");
  snippet.file("src/notes.txt", "a\n");
  ASSERT_TRUE(write() && write()) << error;
  EXPECT_EQ(read_file(out + "/src/a.h"), "#line 1 \"src/a.h\"\nint a;\n");
  EXPECT_TRUE(fs::exists(out + "/build_tools/a.h"));
  EXPECT_FALSE(fs::exists(out + "/build"));
  EXPECT_FALSE(fs::exists(out + "/src/notes.txt"));
  EXPECT_FALSE(fs::exists(out + "/out"));
}

TEST_F(Output, AnOddNameAndAByteOrderMarkStillCompile) {
  snippet.file("src/a\"b.h", "int a;\n");
  snippet.file("src/marked.h", "\xEF\xBB\xBFint b;\n");
  ASSERT_TRUE(write()) << error;
  EXPECT_EQ(read_file(out + "/src/a\"b.h"), "#line 1 \"src/a\\\"b.h\"\nint a;\n");
  EXPECT_EQ(read_file(out + "/src/marked.h"), "\xEF\xBB\xBF#line 1 \"src/marked.h\"\nint b;\n");
}

TEST_F(Output, WhatIsGoneFromTheCheckoutGoesFromTheMirror) {
  snippet.file("src/a.h", "int a;\n");
  snippet.file("src/b.h", "\xEF\xBB\xBFint b;\n");
  snippet.file("out/src/of_others.h", "int c;\n");
  ASSERT_TRUE(write()) << error;
  fs::remove(snippet.root() + "/src/b.h");
  ASSERT_TRUE(write()) << error;
  EXPECT_TRUE(fs::exists(out + "/src/a.h"));
  EXPECT_FALSE(fs::exists(out + "/src/b.h"));
  EXPECT_TRUE(fs::exists(out + "/src/of_others.h"));
}

TEST_F(Output, SaysWhatCannotBeReadOrWritten) {
  snippet.file("out/src", "a file, not a folder");
  snippet.file("src/a.h", "int a;\n");
  EXPECT_FALSE(write());
  EXPECT_THAT(error, testing::HasSubstr("cannot write '" + out + "/src/a.h'"));
  Work work;
  work.subject.root = snippet.root();
  work.subject.kernel_folders = {"missing"};
  EXPECT_FALSE(write_tree({}, {}, work, out, &error));
  EXPECT_THAT(error, testing::HasSubstr("cannot read the folder '" + snippet.root() + "/missing'"));
}

} // namespace
} // namespace kiln::mutants
