#pragma once
// --help and docs/reference.md, both made from the tables of commands and options.

#include <string>

#include "gates/cli/commands.h"

namespace kiln::gates {

/// Every command on a line, how to go on, the exit codes.
std::string general_help();
/// One command with its options.
std::string command_help(const Command& command);
/// docs/reference.md, whole.
std::string reference_text();

} // namespace kiln::gates
