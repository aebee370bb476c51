#pragma once
// Results as they come, so that a run can be gone on with: a line of JSON each, after a first line
// that says what was run. A mutant's last line counts. A journal of another program, or of another
// budget, is begun anew.

#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>

#include "gates/mutation/results.h"

namespace kiln::gates {

class Journal {
 public:
  /// Opens or begins it. Null and one sentence when it cannot be written.
  static std::unique_ptr<Journal> open(const std::string& path, const std::string& identity,
                                       std::string* error);

  /// What it held, by number.
  const std::unordered_map<uint32_t, MutantResult>& known() const { return known_; }
  /// False when the line could not be written.
  bool add(const MutantResult& result);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unordered_map<uint32_t, MutantResult> known_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// One line, without its end.
std::string result_to_line(const MutantResult& result);
/// False when it is not a whole one: the last line of a run that was killed.
bool result_from_line(const std::string& line, MutantResult* result);

} // namespace kiln::gates
