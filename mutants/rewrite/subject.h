#pragma once
// What is to be mutated: a checkout, and which of its folders are whose.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mutants/rewrite/site.h"

namespace kiln::mutants {

struct Subject {
  std::string root;                        ///< absolute, without a '/' at its end
  std::vector<std::string> kernel_folders; ///< from the root, without a '/' at the end
  std::vector<std::string> harness_folders;
  struct Wanted {
    bool judged = true;
    bool harness = false;
  };
  std::map<std::string, Wanted, std::less<>> operators; ///< by name; see Operator::Name

  /// Those whose mutants are wanted; absent: all of the folders. Named mutants are in any.
  std::optional<std::vector<std::string>> files;

  /// From the root; empty for what lies elsewhere.
  std::string relative(const std::string& absolute) const;
  std::string absolute(const std::string& path) const { return root + "/" + path; }
  /// Nothing for a file that is in none of the folders.
  std::optional<Kind> kind_of(const std::string& path) const;
  /// Whether mutants of that name are wanted in that file, which is of that kind.
  bool wants(std::string_view oper, const std::string& path, Kind kind) const;
};

} // namespace kiln::mutants
