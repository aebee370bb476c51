#pragma once
// The command line of the libFuzzer program: libFuzzer's own flags have one dash, ours two.

#include <string>
#include <vector>

#include "sim/target.h"

namespace kiln::gates {

/// The target that is asked for by --target=NAME, by KILN_TARGET in the environment, or by the
/// program's name (kiln-fuzzer-lib-format: the target lib/format). Null, and a sentence in *error.
const sim::Target* choose_fuzzed_target(const std::vector<std::string>& arguments,
                                        const char* environment, std::string* error);

/// The arguments with defaults for those of libFuzzer's flags that are not given: the longest tape
/// of the target; no slow growth of lengths, which means little to lanes; no search for leaks of
/// the host, since a run allocates from the machine; ten seconds an input.
std::vector<std::string> with_fuzzer_defaults(std::vector<std::string> arguments,
                                              const sim::Target& target);

} // namespace kiln::gates
