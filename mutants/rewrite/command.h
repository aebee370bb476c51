#pragma once
// What kiln-mutator does for its options.

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
  std::string out;
  unsigned jobs = 0; ///< 0: one a processor
  bool list_operators = false;
  int single = -1;
  std::string mutants;
};

/// Exit code: 0; 2 with one sentence for what was asked wrongly; 4 when it failed itself.
int run(const Options& options);

} // namespace kiln::mutants
