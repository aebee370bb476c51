#pragma once
// The cases that the Linux kernel's locking self-test enumerates, generated: programs of
// tests/sim/lock_program.h with the rule that each must break, if any.

#include <optional>
#include <string>
#include <vector>

#include "sim/rules.h"

namespace kiln::sim {

struct LockCase {
  std::string name;              ///< "A-B-B-A/rlock", "hard-safe-A + unsafe-B #2/wlock/312"
  std::vector<std::string> runs; ///< tasks, one after the other
  std::optional<Rule> breaks;    ///< none: all is well
  bool early = false;            ///< the rule breaks before the last run
};

/// Everything without interrupts: cycles, recursion, releases, reader-writer mixes, wait contexts.
std::vector<LockCase> order_cases();
/// Everything with interrupts and soft IRQs.
std::vector<LockCase> interrupt_cases();

// --- For building the lists

/// All orders of `events`, with their names: "12", "21", ...
struct Permutation {
  std::string name;
  std::vector<std::string> events;
};
std::vector<Permutation> permutations(const std::vector<std::string>& events);

} // namespace kiln::sim
