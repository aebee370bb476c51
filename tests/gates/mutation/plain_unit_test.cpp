#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gates/mutation/plain_unit.h"
#include "gates/support/subprocess.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

TEST(ShellWords, BlanksQuotesAndBackslashes) {
  EXPECT_EQ(shell_words("c++  -I/a -DX=\"a b\" '-DY=\"c\"' d\\ e ''"),
            (Words{"c++", "-I/a", "-DX=a b", "-DY=\"c\"", "d e", ""}));
  EXPECT_EQ(shell_words("-DZ=\\\"q\\\""), Words{"-DZ=\"q\""});
  EXPECT_TRUE(shell_words("  ").empty());
}

TEST(PlainCommand, LeavesOutWhatIsNotTheKernels) {
  Words words = shell_words(
      "clang++-19 -I/b/mutated/a -I/b/mutated -I/t -O1 -g -gno-column-info "
      "-fsanitize=address,undefined "
      "-fno-sanitize-recover=all -fsanitize-ignorelist=/t/list -Xclang -fsanitize=thread -Xclang "
      "-other -mllvm -tsan-instrument-memory-accesses=0 -mllvm -inline-threshold=0 "
      "-fno-exceptions -include /b/mutated/kiln_mutants.h -std=c++20 -o a.o -c /b/mutated/a.cpp");
  EXPECT_EQ(plain_command(words, "/b/mutated", "/t/a.cpp"),
            shell_words("clang++-19 -I/t -Xclang -other -mllvm -inline-threshold=0 "
                        "-fno-exceptions -include /b/mutated/kiln_mutants.h -std=c++20 "
                        "-O2 -g0 -o - -c /t/a.cpp"));
}

/// A checkout with a kernel of one unit, a target that uses it, and a tool that does not; its
/// build.
class SmallBuild : public testing::Test {
 protected:
  SmallBuild()
      : tree((fs::temp_directory_path() / fmt::format("kiln-plain-{}", getpid())).string()),
        build(tree + "/build") {
    for (const char* folder : {"", "build/mutated/"}) {
      write(folder + std::string("kernel/a.h"), "");
      write(folder + std::string("kernel/a.cpp"), "#include \"kernel/a.h\"\n");
    }
    write("targets/t.cpp", "#include \"kernel/a.h\"\n");
    write("tools/u.cpp", "");
    add("build/mutated/kernel/a.cpp", "a.o", "-I" + build + "/mutated");
    add("targets/t.cpp", "t.o", "-I" + build + "/mutated");
    add("tools/u.cpp", "u.o", "");
    write("build/build.ninja", rules);
    write("build/compile_commands.json", "[" + commands + "]");
  }
  ~SmallBuild() override { fs::remove_all(tree); }

  void write(const std::string& path, const std::string& text) const {
    fs::path file = fs::path(tree) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void add(const std::string& source, const std::string& object, const std::string& include) {
    std::string command =
        fmt::format("clang++-19 {0} -I{1} -o {2} -c {1}/{3}", include, tree, object, source);
    rules += fmt::format("rule {0}\n  command = {1} -MD -MF $out.d\n  depfile = $out.d\n"
                         "  deps = gcc\nbuild {0}: {0} {2}/{3}\n",
                         object, command, tree, source);
    commands += fmt::format(R"({}{{"directory": "{}", "command": "{}", "file": "{}/{}"}})",
                            commands.empty() ? "" : ",", build, command, tree, source);
  }

  std::string tree;
  std::string build;
  std::string rules;
  std::string commands;
  std::string error;
};

TEST_F(SmallBuild, UnitsAndTheFilesThatTheySee) {
  ASSERT_EQ(run_tool({"ninja"}, build, true).status, 0);
  std::optional<PlainBuild> found = plain_build(build, build + "/mutated", tree, &error);
  ASSERT_TRUE(found.has_value()) << error;
  EXPECT_EQ(found->tree, tree);
  ASSERT_EQ(found->units.size(), 2U);
  const PlainUnit& kernel = found->units[0];
  EXPECT_EQ(kernel.source, "kernel/a.cpp");
  EXPECT_EQ(kernel.files, (std::set<std::string>{"kernel/a.cpp", "kernel/a.h"}));
  EXPECT_EQ(kernel.words.back(), tree + "/kernel/a.cpp");
  EXPECT_EQ(found->units[1].source, "targets/t.cpp");
  EXPECT_EQ(found->units[1].files, std::set<std::string>{"kernel/a.h"});
}

TEST_F(SmallBuild, AnotherCheckoutIsRefused) {
  ASSERT_EQ(run_tool({"ninja"}, build, true).status, 0);
  EXPECT_FALSE(plain_build(build, build + "/mutated", "/usr", &error).has_value());
  EXPECT_NE(error.find("its own checkout"), std::string::npos) << error;
}

TEST_F(SmallBuild, WithoutADatabaseNothingIsKnown) {
  fs::remove(build + "/compile_commands.json");
  EXPECT_FALSE(plain_build(build, build + "/mutated", tree, &error).has_value());
  EXPECT_NE(error.find("compile_commands.json"), std::string::npos) << error;
  write("build/compile_commands.json", "{");
  EXPECT_FALSE(plain_build(build, build + "/mutated", tree, &error).has_value());
  EXPECT_NE(error.find("configure the build again"), std::string::npos) << error;
}

} // namespace
} // namespace kiln::gates
