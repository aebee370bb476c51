#pragma once
// One input, run to be looked at: replay, --only, feed, and what they print.

#include <string>

#include "gates/cli/settings.h"
#include "gates/finding/found.h"
#include "gates/support/exit_code.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

/// The input named by --only of the one target among the arguments.
ExitCode run_only(const Settings& settings);

/// The input of replay, decode and shrink: TARGET and FILE, or TARGET and --only.
bool named_input(const Settings& settings, SingleJob* job, std::string* error);

/// The finding that a run showed.
Found found_of(const SingleJob& job, const LabResult& result);

/// Runs the job in a worker (under gdb, or in this process, where the settings say so), prints what
/// happened, and gives the code. `boot`: mutants to boot with.
ExitCode run_one(const Settings& settings, SingleJob job, const BootPlan& boot = {});

/// Reads a tape, or the tape in a bundle (.json); nothing and a sentence when it will not do.
bool read_input_file(const Settings& settings, const std::string& path, std::vector<uint8_t>* tape,
                     std::string* error);

/// A sentence when `output` is one of the files that the command reads; else "".
std::string input_in_the_way(const Settings& settings, const std::string& output);

} // namespace kiln::gates
