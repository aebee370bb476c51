#pragma once
// The process as every run shall find it: address randomisation off, a small fixed environment, the
// same arguments. Set once, by starting the program anew before it does anything else.

#include <map>
#include <string>
#include <vector>

namespace kiln::gates {

/// Opens /dev/null in place of standard streams that are closed: a socket or a report that got the
/// number of one would have what is printed in it.
void fill_standard_streams();
/// Starts this program again, with randomisation off (unless keep_aslr) and the fixed environment.
/// Returns when that has been done already, or cannot be done; then runs go on as it is.
void settle_environment(char** arguments, bool keep_aslr);

/// For a program that is started from here: it shall take the environment as it is.
void mark_environment_settled();

/// Whether the host places this process at random addresses.
bool address_randomisation();
/// The environment of this process, and so of every worker.
std::map<std::string, std::string> worker_environment();
std::vector<std::string> program_arguments();
/// Whether output goes to a terminal on which lines can be rewritten.
bool live_terminal();

} // namespace kiln::gates
