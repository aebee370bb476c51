#pragma once
// What AddressSanitizer printed before it ended a process -> a finding.
//
// The text is that of clang 19's runtime with symbolize=0. Task, CPU and clock are not in it: the
// caller fills them in when it knows them.

#include <string_view>

#include "sim/finding.h"

namespace kiln::gates {

/// False when `text` holds no report. Else fills rule (address; stack-overflow; crash for a fault
/// that was no bad access of checked memory), headline (no address in it), stack, and in `other`
/// where the memory was given back, else where it was taken. Frames outside of the program (shared
/// libraries) are left out.
bool parse_asan_report(std::string_view text, sim::Finding* finding);

} // namespace kiln::gates
