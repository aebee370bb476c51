#pragma once
// What kiln-mutator does for its options.

#include <optional>
#include <string>
#include <vector>

namespace kiln::mutants {

struct Options {
  std::string build;
  std::string root;
  std::vector<std::string> mutate;
  std::vector<std::string> harness;
  std::string roles;
  std::string named;
  std::vector<std::string> operators; ///< empty: all
  /// Files whose mutants are wanted beside the named ones, from the root; absent: of all.
  std::optional<std::vector<std::string>> files;
  std::string out;
  unsigned jobs = 0; ///< 0: one a processor
  bool list_operators = false;
};

/// Exit code: 0; 2 with one sentence for what was asked wrongly; 4 when it failed itself.
int run(const Options& options);

} // namespace kiln::mutants
