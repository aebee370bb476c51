#pragma once
// A finding as it is printed in the middle of a run, and as its .txt file has it.

#include <string>

#include "gates/found.h"
#include "gates/identity.h"
#include "gates/symbolize.h"

namespace kiln::gates {

/// The command that runs it again.
std::string replay_command(const Found& found, const std::string& tape_file);
std::string finding_text(const Found& found, const Identity& identity, Symbolizer& symbolizer,
                         const std::string& tape_file);

} // namespace kiln::gates
