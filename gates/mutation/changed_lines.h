#pragma once
// Lines that differ from a revision, as git tells.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::gates {

struct LineRange {
  uint32_t begin; ///< from 1
  uint32_t end;   ///< one past the last
};

/// By path from the top of the checkout.
using ChangedLines = std::map<std::string, std::vector<LineRange>, std::less<>>;

/// Of the text of `git diff -U0`: lines of the newer side. Where lines were only taken out, the
/// lines before and after count.
ChangedLines changed_lines(std::string_view diff);

/// Whether lines [first, last] of the file have a changed one among them.
bool touches(const ChangedLines& changed, std::string_view path, uint32_t first, uint32_t last);

/// Of the checkout `tree`, since `revision`; files that git does not know yet count as changed
/// altogether. Nothing and one sentence when git is missing or does not know the revision.
std::optional<ChangedLines> lines_changed_since(const std::string& tree,
                                                const std::string& revision, std::string* error);

} // namespace kiln::gates
