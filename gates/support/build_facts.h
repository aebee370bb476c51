#pragma once
// What this program was built from and how; compiled in by cmake/build_facts.cmake.

#include <span>

namespace kiln::gates {

struct BuildFacts {
  const char* repository;             ///< address of the origin, "" when there is none
  const char* commit;                 ///< full hash, "" when not built from a repository
  bool edited;                        ///< tracked files differed from the commit
  const char* flavour;                ///< "gate", "fast", ...
  const char* compiler;               ///< name and version
  std::span<const char* const> flags; ///< of the kernel's objects
};

const BuildFacts& build_facts();

} // namespace kiln::gates
