#pragma once
// Which mutants, against which targets: the arguments and options of `mutate`.

#include <string>
#include <string_view>
#include <vector>

#include "gates/cli/settings.h"
#include "sim/mutants.h"
#include "sim/target.h"

namespace kiln::gates {

struct MutantChoice {
  std::vector<uint32_t> numbers; ///< of the table, ascending
  std::vector<const sim::Target*> targets;
};

/// False and one sentence when an argument means neither file nor target, an operator is not known,
/// git does not know the revision, or there is no mutant with that number.
bool choose_mutants(const Settings& settings, MutantChoice* choice, std::string* error);

/// Whether the argument means this file: its path, a folder above it, or a glob.
bool means_file(std::string_view argument, std::string_view path);

} // namespace kiln::gates
