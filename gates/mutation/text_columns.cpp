#include "gates/mutation/text_columns.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln::gates {
namespace {

std::string painted(const Style& style, TextColumns::Look look, const std::string& line) {
  switch (look) {
  case TextColumns::Look::kPlain:
    return line;
  case TextColumns::Look::kBold:
    return style.bold(line);
  case TextColumns::Look::kDim:
    return style.dim(line);
  case TextColumns::Look::kBad:
    return style.bad(line);
  }
  return line;
}

} // namespace

std::string TextColumns::text(const Style& style) const {
  std::vector<size_t> widths(sides_.size());
  for (const Row& row : rows_)
    for (size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], row.cells[i].size());
  std::string out;
  for (const Row& row : rows_) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      bool left = sides_[i] == Side::kLeft;
      line += left ? fmt::format("  {:<{}}", row.cells[i], widths[i])
                   : fmt::format("  {:>{}}", row.cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += painted(style, row.look, line) + "\n";
  }
  return out;
}

} // namespace kiln::gates
