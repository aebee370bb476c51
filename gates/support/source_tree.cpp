#include "gates/support/source_tree.h"

#include <filesystem>

namespace kiln::gates {

namespace {

namespace fs = std::filesystem;

std::string tree_above(fs::path at) {
  std::error_code ignored;
  while (!at.empty()) {
    if (fs::is_directory(at / "targets", ignored) &&
        fs::exists(at / "CMakePresets.json", ignored)) {
      return at.string();
    }
    if (at == at.root_path()) break;
    at = at.parent_path();
  }
  return "";
}

} // namespace

std::string source_tree() {
  std::error_code ignored;
  std::string tree = tree_above(fs::current_path(ignored));
  if (!tree.empty()) return tree;
  return tree_above(fs::read_symlink("/proc/self/exe", ignored).parent_path());
}

} // namespace kiln::gates
