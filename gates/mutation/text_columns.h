#pragma once
// Tables of text: the first column's words to the left, figures to the right, each column as wide
// as what is in it.

#include <string>
#include <utility>
#include <vector>

#include "gates/support/style.h"

namespace kiln::gates {

class TextColumns {
 public:
  enum class Side : uint8_t { kLeft, kRight };
  explicit TextColumns(std::vector<Side> sides) : sides_(std::move(sides)) {}

  enum class Look : uint8_t { kPlain, kBold, kDim, kBad };
  /// As many cells as there are sides; ASCII.
  void add(std::vector<std::string> cells, Look look = Look::kPlain) {
    rows_.push_back({std::move(cells), look});
  }
  /// Two spaces before each line and between columns.
  std::string text(const Style& style) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Look look;
  };
  std::vector<Side> sides_;
  std::vector<Row> rows_;
};

} // namespace kiln::gates
