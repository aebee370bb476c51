#pragma once
// One translation unit through clang, with the flags that it is compiled with.

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace kiln::mutants {

struct Unit {
  std::string file;      ///< absolute
  std::string directory; ///< that the compiler runs in
  std::vector<std::string> arguments;
};

/// The C++ units of the compilation database in `build`, by file, each file once. What a build of
/// rewritten sources says is said of the originals: files below `mirror` are those below `root`.
/// Empty, with a sentence, when it cannot be read.
std::vector<Unit> load_units(const std::string& build, const std::string& root,
                             const std::string& mirror, std::string* error);

/// An error of the compiler's, and the places that it and its notes name, the error's own first.
struct Complaint {
  struct Place {
    std::string file; ///< absolute
    uint32_t offset;
  };
  std::vector<Place> places;
  std::string text;
  std::string where; ///< "file:line:column"
};

/// Texts that stand for files: absolute paths.
using Overlay = std::map<std::string, std::string>;

struct ParseOptions {
  const Overlay* overlay = nullptr;
  std::string forced_include; ///< absolute; empty: none
  /// Whether that file's functions are of interest; bodies of others may be passed over.
  std::function<bool(const std::string& absolute)> wants_bodies;
  /// Gets the tree of a unit, whatever was wrong with it.
  std::function<void(clang::ASTContext&, clang::Preprocessor&)> tree;
};

/// All errors; none: it compiles.
std::vector<Complaint> parse_unit(const Unit& unit, const ParseOptions& options);

/// The path of a file that clang has read, absolute and without '..'.
std::string absolute_path(std::string name, const std::string& directory);

} // namespace kiln::mutants
