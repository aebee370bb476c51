#pragma once
// The profile of the `cover` flavour; nothing in the others. Counters lie outside the machine, so
// they add up over all inputs of a process.

#include <string>

namespace kiln::gates {

/// Whether this program counts coverage.
bool counts_coverage();
/// Where processes write their counters from now on; "%p" becomes the process number.
void set_coverage_file(const std::string& pattern);
/// Writes this process's counters, if it has any.
void write_coverage_profile();

} // namespace kiln::gates
