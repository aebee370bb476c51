#pragma once
// A small C++ project in a folder of its own, for tests of kiln-mutator's frame.
//
//   Snippet snippet;
//   snippet.file("src/a.cpp", "bool f(int a) { return a < 1; }");
//   snippet.rewrite({"boundary"});
//   snippet.text("src/a.cpp")

#include <string>
#include <vector>

#include "mutants/rewrite/table.h"

namespace kiln::mutants {

class Snippet {
 public:
  Snippet();
  ~Snippet();
  Snippet(const Snippet&) = delete;
  Snippet& operator=(const Snippet&) = delete;

  void file(const std::string& path, const std::string& text);
  void patch(const std::string& name, const std::string& text);
  /// False with a sentence in `error` when the frame refuses. Units: the .cpp files in src/.
  bool rewrite(const std::vector<std::string>& operators, unsigned jobs = 1);

  /// A rewritten file.
  std::string text(const std::string& path) const;
  /// "operator: original -> replacement", in the table's order.
  std::vector<std::string> mutants() const;
  /// "operator: reason"
  std::vector<std::string> unmade() const;
  /// Compiles the rewritten tree with its runtime; what the program prints with that mutant on
  /// (-1: none).
  bool build();
  std::string output(int mutant) const;

  std::string root() const { return root_; }
  Rewritten rewritten;
  std::vector<TableRow> rows;
  std::string error;

 private:
  std::string root_;
  std::vector<std::string> units_;
  Work work_;
};

} // namespace kiln::mutants
