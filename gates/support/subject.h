#pragma once
// The kernel of this program, as files. Clay's, unless a program says something else of its own
// kernel (cmake/own_mutants.cmake) before main.

#include <string>

namespace kiln::gates {

struct Subject {
  std::string tree;    ///< folder that its files are named from; "": the checkout around
  std::string mutated; ///< its rewritten sources, from the program's folder
  std::string
      equivalents; ///< folder of reviewed lists, from the tree or absolute; "": there is none
};
Subject& subject();

/// The folder that the kernel's files are named from; "" when there is no checkout around.
std::string subject_tree();

/// With `path` in it; an absolute one is that.
std::string in_subject_tree(const std::string& path);

} // namespace kiln::gates
