#include "gates/support/subject.h"

#include <filesystem>

#include "gates/support/source_tree.h"

namespace kiln::gates {

Subject& subject() {
  static Subject clay{true, "", "mutated", "gates/mutants/equivalent"};
  return clay;
}

std::string subject_tree() { return subject().tree.empty() ? source_tree() : subject().tree; }

std::string in_subject_tree(const std::string& path) {
  return (std::filesystem::path(subject_tree()) / path).string();
}

} // namespace kiln::gates
