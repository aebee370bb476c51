#pragma once
// What every command that runs inputs begins with: the pool of workers under the settings' limits,
// the fences, the folder for findings.

#include <optional>
#include <string>

#include "gates/cli/settings.h"
#include "gates/finding/known.h"
#include "gates/support/exit_code.h"
#include "gates/worker/pool.h"

namespace kiln::gates {

/// Prints "kiln: " and the sentence; gives the code for bad usage.
ExitCode refuse(const std::string& sentence);
/// The same for a failure of the runner itself.
ExitCode fail_runner(const std::string& sentence);

Pool make_pool(const Settings& settings);
/// Makes the folder for findings; false and a sentence when it cannot be written to.
bool prepare_out_folder(const Settings& settings, std::string* error);
/// The file of --known, or none.
std::optional<KnownFindings> read_known(const Settings& settings, std::string* error);
/// Processors that this process may use.
unsigned processors();
/// Workers to use.
unsigned jobs_of(const Settings& settings);

/// Writes a file of --json and the like; prints a sentence and gives false when that fails.
bool write_report(const std::string& path, const std::string& text);

} // namespace kiln::gates
