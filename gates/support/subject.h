#pragma once
// The kernel of this program, as files. Clay's, unless a program says something else of its own
// kernel (cmake/own_mutants.cmake) before main.

#include <string>

namespace kiln::gates {

struct Subject {
  bool is_clay;
  /// Folder that its files are named from; "": the checkout around.
  std::string tree;
  /// Its rewritten sources, from the program's folder.
  std::string mutated;
  /// Folder of reviewed lists, from the tree or absolute; "": there is none.
  std::string equivalents;
};
Subject& subject();

/// The folder that the kernel's files are named from; "" when there is no checkout around.
std::string subject_tree();

/// `path` in that folder; an absolute one as it is.
std::string in_subject_tree(const std::string& path);

} // namespace kiln::gates
