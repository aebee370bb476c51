#include "mutants/rewrite/subject.h"

#include <algorithm>

namespace kiln::mutants {
namespace {

/// "." is the whole checkout.
bool lies_in(const std::string& path, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    if (folder == "." || path == folder || path.starts_with(folder + "/")) return true;
  }
  return false;
}

} // namespace

std::string Subject::relative(const std::string& absolute) const {
  return absolute.starts_with(root + "/") ? absolute.substr(root.size() + 1) : "";
}

std::optional<Kind> Subject::kind_of(const std::string& path) const {
  if (path.empty()) return std::nullopt;
  if (lies_in(path, kernel_folders)) return Kind::kKernel;
  if (lies_in(path, harness_folders)) return Kind::kHarness;
  return std::nullopt;
}

bool Subject::wants(std::string_view oper, const std::string& path, Kind kind) const {
  if (files && std::ranges::find(*files, path) == files->end()) return false;
  auto wanted = operators.find(oper);
  return wanted != operators.end() && wanted->second.harness == (kind == Kind::kHarness);
}

} // namespace kiln::mutants
