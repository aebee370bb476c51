#pragma once
// Which regions of the sources were never run, by name: out of what llvm-cov exports.
//
// A region is a stretch of code that is entered in one place (clang's source-based coverage). It
// counts once, however many functions a template or a header's inline function became, and has run
// when it ran in any of them. Regions of a macro's body count where the macro is used. Left out, by
// rule: what lies in the body of a macro of a header called lib/assert.h, for it runs only when the
// kernel panics.

#include <string>
#include <string_view>
#include <vector>

namespace kiln::gates {

struct UncoveredRegion {
  unsigned line = 0; ///< from 1
  unsigned column = 0;
  std::string function; ///< mangled
  bool in_macro = false;
};

struct FileCoverage {
  std::string file; ///< from the top of the source tree
  size_t regions = 0;
  size_t ran = 0;
  size_t left_out = 0;                    ///< not among `regions`
  std::vector<UncoveredRegion> uncovered; ///< in the order of the file

  /// 100 for a file without regions.
  double percent() const;
};

/// By name. `exported`: from `llvm-cov export -format=text`, whose own filter says which files
/// count; `root`: the source tree, that they are named from. Nothing and a reason in *error when it
/// is something else.
std::vector<FileCoverage> read_region_coverage(std::string_view exported, const std::string& root,
                                               std::string* error);

/// The table of all files and the list of what never ran, as Markdown. `root`: the source tree, for
/// the text of the lines.
std::string describe_region_coverage(const std::vector<FileCoverage>& files,
                                     const std::string& root);

} // namespace kiln::gates
