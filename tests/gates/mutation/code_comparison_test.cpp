#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gates/mutation/code_comparison.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

using Kind = CodeChange::Kind;

constexpr const char* kHeader = "#pragma once\n"
                                "inline bool few(unsigned n) { return n < 1; }\n"
                                "inline bool many(unsigned n) { return n > 9; }\n";
constexpr const char* kFirst = "#include \"lib/n.h\"\n"
                               "bool first(unsigned n) { return few(n); }\n"
                               "const char* file() { return __FILE__; }\n"
                               "int line() { return __LINE__; }\n";
constexpr const char* kSecond =
    "#include \"lib/n.h\"\nbool second(unsigned n) { return many(n); }\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

/// Two units, and a header that both include.
class CodeComparisonTest : public testing::Test {
 protected:
  CodeComparisonTest() : tree(fs::temp_directory_path() / fmt::format("kiln-code-{}", getpid())) {
    write("lib/n.h", kHeader);
    write("first.cpp", kFirst);
    write("second.cpp", kSecond);
    build.tree = tree.string();
    for (const char* source : {"first.cpp", "second.cpp"})
      build.units.push_back(unit(source));
  }
  ~CodeComparisonTest() override { fs::remove_all(tree); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((tree / path).parent_path());
    std::ofstream(tree / path) << text;
  }
  PlainUnit unit(const std::string& source) const {
    std::vector<std::string> words = {"clang++-19", "-I" + tree.string(), "-o", "x.o", "-c", "y"};
    return {source,
            tree.string(),
            plain_command(words, "", (tree / source).string()),
            {source, "lib/n.h"}};
  }
  CodeChange compare(const std::string& path, const std::string& text) const {
    CodeComparison comparison(build, scratch());
    std::string error;
    EXPECT_TRUE(comparison.is_ready(&error)) << error;
    return comparison.compare(path, text);
  }
  std::string scratch() const { return (tree / "scratch").string(); }

  fs::path tree;
  PlainBuild build;
};

TEST_F(CodeComparisonTest, TheOriginalIsTheSame) {
  EXPECT_EQ(compare("first.cpp", kFirst).kind, Kind::kNone);
  EXPECT_EQ(compare("lib/n.h", kHeader).kind, Kind::kNone);
}

TEST_F(CodeComparisonTest, AnotherTextMayHaveTheSameCode) {
  EXPECT_EQ(compare("first.cpp", replaced(kFirst, "few(n)", "(n == 0)")).kind, Kind::kNone);
  EXPECT_EQ(compare("lib/n.h", replaced(kHeader, "n < 1", "n <= 0")).kind, Kind::kNone);
}

TEST_F(CodeComparisonTest, OneUnitThatDiffersIsEnough) {
  EXPECT_EQ(compare("first.cpp", replaced(kFirst, "few(n)", "!few(n)")).kind, Kind::kSome);
  EXPECT_EQ(compare("lib/n.h", replaced(kHeader, "n < 1", "n <= 1")).kind, Kind::kSome);
  EXPECT_EQ(compare("lib/n.h", replaced(kHeader, "n > 9", "n >= 9")).kind, Kind::kSome);
}

TEST_F(CodeComparisonTest, ALineThatMovesIsADifference) {
  EXPECT_EQ(compare("first.cpp", std::string("\n") + kFirst).kind, Kind::kSome);
}

TEST_F(CodeComparisonTest, WhatDoesNotCompileIsNotToTell) {
  CodeChange change = compare("first.cpp", replaced(kFirst, "few(n)", "few(m)"));
  EXPECT_EQ(change.kind, Kind::kNotToTell);
  EXPECT_EQ(change.why, "it does not compile alone");
  write("first.cpp", "not C++");
  change = compare("first.cpp", kFirst);
  EXPECT_EQ(change.kind, Kind::kNotToTell);
  EXPECT_EQ(change.why, "first.cpp does not compile as plain source");
}

// Nothing may look the same since nobody looked.
TEST_F(CodeComparisonTest, AUnitThatDoesNotSeeTheFileShowsNothing) {
  write("second.cpp", "bool second() { return true; }\n");
  build.units.erase(build.units.begin());
  CodeChange change = compare("lib/n.h", replaced(kHeader, "n > 9", "n >= 9"));
  EXPECT_EQ(change.kind, Kind::kNotToTell);
  EXPECT_EQ(change.why, "no unit includes the file");
  EXPECT_EQ(compare("elsewhere.h", "").why, "no unit includes the file");
}

TEST_F(CodeComparisonTest, TooManyUnitsAreNotCompared) {
  build.units.assign(kMostUnitsCompared + 1, unit("first.cpp"));
  EXPECT_EQ(compare("lib/n.h", kHeader).why, "65 units include the file");
}

TEST_F(CodeComparisonTest, LeavesNothingBehind) {
  compare("first.cpp", kFirst);
  EXPECT_FALSE(fs::exists(scratch()));
}

TEST_F(CodeComparisonTest, SaysWhatIsMissing) {
  std::string error;
  build.units[0].words[0] = "/no/such/compiler";
  EXPECT_FALSE(CodeComparison(build, scratch()).is_ready(&error));
  EXPECT_NE(error.find("'/no/such/compiler' is not there"), std::string::npos) << error;
  EXPECT_EQ(CodeComparison(build, scratch()).compare("first.cpp", kFirst).kind, Kind::kUndone);
  EXPECT_FALSE(CodeComparison({}, scratch()).is_ready(&error));
}

} // namespace
} // namespace kiln::gates
