#pragma once
// The sources that mutants lie in, as the checkout has them now: their text, and what a mutant
// changes in it. A checkout may lack files or have moved on since the program was built; whatever
// no longer fits is told, not guessed.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/mutants.h"

namespace kiln::gates {

class ReportSources {
 public:
  /// `root`: the top of the checkout; "" has no files.
  explicit ReportSources(std::string root) : root_(std::move(root)) {}

  struct File {
    bool found = false;
    std::string text;
    std::vector<std::string_view> lines; ///< of `text`, without their ends
  };
  /// Read once; a file that cannot be read is not `found` and is noted in missing().
  const File& file(const std::string& path);
  /// Paths asked for that the checkout does not have.
  const std::set<std::string>& missing() const { return missing_; }

 private:
  std::string root_;
  std::map<std::string, File> files_;
  std::set<std::string> missing_;
};

struct Position {
  uint32_t line = 1;
  uint32_t column = 1; ///< in UTF-16 code units, as readers of JSON reports count them
};
struct Extent {
  Position begin;
  Position end; ///< one past the last character
};
Extent extent_of(const sim::Mutant& mutant, const ReportSources::File& file);
/// Their end is not known; it is taken from the original's text where that stands there.
Extent extent_of(const sim::UnmadeMutant& place, const ReportSources::File& file);

/// Whether the original's text is where the mutant was made.
bool still_stands(const sim::Mutant& mutant, const ReportSources::File& file);

/// A mutant as a change of lines, with lines around it.
struct SourceChange {
  struct Line {
    enum class Kind : uint8_t { kSame, kRemoved, kAdded, kLeftOut };
    Kind kind;
    uint32_t number;                    ///< of the original
    std::string before, changed, after; ///< the line's text; `changed` is what the mutant touches
  };
  std::vector<Line> lines; ///< empty: the source is not there, or is not what was mutated
};
SourceChange change_of(const sim::Mutant& mutant, const ReportSources::File& file);

} // namespace kiln::gates
