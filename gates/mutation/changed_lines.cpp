#include "gates/mutation/changed_lines.h"

#include <charconv>
#include <fmt/format.h>

#include "gates/support/subprocess.h"

namespace kiln::gates {

namespace {

/// The lines of a text, one after another.
class Lines {
 public:
  explicit Lines(std::string_view text) : left_(text) {}
  bool next(std::string_view* line) {
    if (left_.empty()) return false;
    size_t end = std::min(left_.find('\n'), left_.size());
    *line = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    return true;
  }

 private:
  std::string_view left_;
};

uint32_t take_number(std::string_view* text) {
  uint32_t value = 0;
  auto [stop, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (problem == std::errc()) text->remove_prefix(static_cast<size_t>(stop - text->data()));
  return value;
}

/// "@@ -10,7 +12,3 @@ ..." -> lines 12..14.
LineRange range_of_hunk(std::string_view header) {
  size_t plus = header.find(" +");
  if (plus == std::string_view::npos) return {0, 0};
  header.remove_prefix(plus + 2);
  uint32_t first = take_number(&header);
  uint32_t count = 1;
  if (header.starts_with(',')) {
    header.remove_prefix(1);
    count = take_number(&header);
  }
  if (count == 0) return {first == 0 ? 1 : first, first + 2};
  return {first, first + count};
}

bool is_known(const std::string& tree, const std::string& revision) {
  return run_tool({"git", "rev-parse", "--quiet", "--verify", revision + "^{commit}"}, tree, true)
             .status == 0;
}

} // namespace

ChangedLines changed_lines(std::string_view diff) {
  ChangedLines changed;
  std::string path;
  Lines lines(diff);
  std::string_view line;
  while (lines.next(&line)) {
    if (line.starts_with("+++ ")) {
      line.remove_prefix(4);
      path = line.starts_with("b/") ? line.substr(2) : std::string_view();
    } else if (line.starts_with("@@ ") && !path.empty()) {
      changed[path].push_back(range_of_hunk(line));
    }
  }
  return changed;
}

bool touches(const ChangedLines& changed, std::string_view path, uint32_t first, uint32_t last) {
  auto found = changed.find(path);
  if (found == changed.end()) return false;
  for (const LineRange& range : found->second) {
    if (range.begin <= last && first < range.end) return true;
  }
  return false;
}

std::optional<ChangedLines> lines_changed_since(const std::string& tree,
                                                const std::string& revision, std::string* error) {
  if (tree.empty()) {
    *error = "--since asks git about the checkout, and there is none around here: start from it.";
    return std::nullopt;
  }
  if (find_program("git").empty()) {
    *error = "--since asks git what has changed, and git is not there: install the package git.";
    return std::nullopt;
  }
  if (revision.starts_with('-') || !is_known(tree, revision)) {
    *error = fmt::format("git knows no revision '{}' in '{}': name a commit, a branch or a tag.",
                         revision, tree);
    return std::nullopt;
  }
  ToolResult diff =
      run_tool({"git", "-c", "core.quotePath=off", "diff", "--no-color", "--no-ext-diff",
                "--src-prefix=a/", "--dst-prefix=b/", "-U0", "--relative", revision, "--"},
               tree, true);
  ToolResult fresh =
      run_tool({"git", "-c", "core.quotePath=off", "ls-files", "--others", "--exclude-standard"},
               tree, true);
  if (diff.status != 0 || fresh.status != 0) {
    *error = fmt::format("git could not compare '{}' with '{}'.", tree, revision);
    return std::nullopt;
  }
  ChangedLines changed = changed_lines(diff.output);
  Lines lines(fresh.output);
  std::string_view path;
  while (lines.next(&path))
    changed[std::string(path)] = {{1, UINT32_MAX}};
  return changed;
}

} // namespace kiln::gates
