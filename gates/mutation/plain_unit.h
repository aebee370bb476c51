#pragma once
// The translation units of a build with mutants, as what they were made of: plain sources, without
// switches and without sanitizers. For what is to be seen of the code that a compiler makes.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::gates {

struct PlainUnit {
  std::string source;             ///< from the top of the checkout, as all paths here
  std::string folder;             ///< to compile in
  std::vector<std::string> words; ///< compiles it; the object goes to standard output
  std::set<std::string> files;    ///< that mutants may lie in: itself and what it includes
};

struct PlainBuild {
  std::string tree; ///< the checkout, in the compiler's spelling of its path
  std::vector<PlainUnit> units;
};

/// The units that see mutants of the rewritten sources in `mutated`, of the build folder of a
/// program and the checkout at `tree`; the kernel's own come first. Nothing, and one sentence, when
/// they cannot be told.
std::optional<PlainBuild> plain_build(const std::string& build, const std::string& mutated,
                                      const std::string& tree, std::string* error);

/// What a unit is compiled with: `words` without sanitizers, debug information and folders
/// of `mutated`, optimised, of `source`, to standard output.
std::vector<std::string> plain_command(const std::vector<std::string>& words,
                                       const std::string& mutated, const std::string& source);

/// A command line taken apart as a shell does it: by blanks, quotes and backslashes.
std::vector<std::string> shell_words(std::string_view line);

} // namespace kiln::gates
