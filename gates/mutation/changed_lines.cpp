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

/// One side of a hunk: "12,3" is lines 12 to 14, "12" is one line.
struct Side {
  uint32_t first = 0;
  uint32_t count = 0;
};

Side take_side(std::string_view* text, std::string_view mark) {
  size_t at = text->find(mark);
  if (at == std::string_view::npos) return {};
  text->remove_prefix(at + mark.size());
  Side side{take_number(text), 1};
  if (text->starts_with(',')) {
    text->remove_prefix(1);
    side.count = take_number(text);
  }
  return side;
}

/// Of a newer side. Where nothing is left, the lines before and after.
LineRange range_of(const Side& side) {
  if (side.count == 0) return {side.first == 0 ? 1 : side.first, side.first + 2};
  return {side.first, side.first + side.count};
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
  uint64_t of_hunk = 0; // lines that are still to come: one of "++ x;" looks like a header
  while (lines.next(&line)) {
    if (of_hunk != 0 && !line.starts_with('\\')) {
      --of_hunk;
    } else if (line.starts_with("+++ ")) {
      line.remove_prefix(4);
      if (line.ends_with('\t')) line.remove_suffix(1); // git's mark behind a name with blanks
      path = line.starts_with("b/") ? line.substr(2) : std::string_view();
    } else if (line.starts_with("@@ ")) {
      Side older = take_side(&line, " -");
      Side newer = take_side(&line, " +");
      of_hunk = uint64_t{older.count} + newer.count;
      if (!path.empty()) changed[path].push_back(range_of(newer));
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
  ToolResult diff = run_tool({"git", "-c", "core.quotePath=off", "diff", "--no-color",
                              "--no-ext-diff", "--text", "--no-textconv", "--src-prefix=a/",
                              "--dst-prefix=b/", "-U0", "--relative", revision, "--"},
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
