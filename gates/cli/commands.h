#pragma once
// The commands: one file each in gates/commands/, one row each in commands.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gates/cli/options.h"
#include "gates/cli/settings.h"
#include "gates/support/exit_code.h"

namespace kiln::gates {

struct Command {
  const char* name;
  CommandBit bit;
  const char* arguments; ///< "TARGET FILE"; "" for none
  unsigned least, most;  ///< arguments
  const char* purpose;   ///< one line, no full stop
  const char* more;      ///< a paragraph for its help and the reference
  ExitCode (*run)(const Settings& settings);
};

std::span<const Command> commands();
const Command* find_command(std::string_view name);
std::vector<std::string> command_names();

// One in each file of gates/commands/.
ExitCode command_gate(const Settings& settings);
ExitCode command_run(const Settings& settings);
ExitCode command_list(const Settings& settings);
ExitCode command_replay(const Settings& settings);
ExitCode command_decode(const Settings& settings);
ExitCode command_feed(const Settings& settings);
ExitCode command_artefact(const Settings& settings);
ExitCode command_shrink(const Settings& settings);
ExitCode command_triage(const Settings& settings);
ExitCode command_bundle(const Settings& settings);
ExitCode command_corpus(const Settings& settings);
ExitCode command_join(const Settings& settings);
ExitCode command_cover(const Settings& settings);
ExitCode command_bench(const Settings& settings);
ExitCode command_doctor(const Settings& settings);
ExitCode command_mutate(const Settings& settings);
ExitCode command_new_target(const Settings& settings);
ExitCode command_reference(const Settings& settings);

} // namespace kiln::gates
