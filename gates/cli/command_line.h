#pragma once
// The command line: tokens by CLI11, meaning by the option table. Every refusal is one sentence.

#include <string>
#include <vector>

#include "gates/cli/commands.h"

namespace kiln::gates {

struct CommandLine {
  bool ok = false;
  std::string error; ///< when not ok
  Settings settings;
  const Command* command = nullptr; ///< never null when ok
};

/// `words`: the arguments without the program's name. `targets`: known names, for suggestions.
CommandLine parse_command_line(const std::vector<std::string>& words,
                               const std::vector<std::string>& targets);

} // namespace kiln::gates
