#pragma once
// What operators propose for a piece of source, as lines of text.

#include <string>
#include <string_view>
#include <vector>

namespace kiln::mutants {

struct Collected {
  std::vector<std::string> lines; ///< in the order of the walk
  std::vector<std::string> of(std::string_view oper) const;
};

/// Every line is "operator: original => replacement", with "drop", "before", "after", "swap" or
/// "unmade" in front of what is no choice. `roles`: text of a list of roles. Fails the test when
/// the source has errors.
Collected collect(std::string_view source, std::string_view roles = "");

/// Those of one operator, without its name.
std::vector<std::string> variants(std::string_view oper, std::string_view source,
                                  std::string_view roles = "");

} // namespace kiln::mutants
