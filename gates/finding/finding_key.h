#pragma once
// A cheap name for "the same finding again": the rule and the innermost return addresses, raw. Told
// apart in nanoseconds in the worker, so that a frequent finding costs no more than its run. The
// identity that users see comes from symbols (gates/finding/identity.h) and may join several keys.

#include <cstdint>

#include "sim/finding.h"

namespace kiln::gates {

inline constexpr unsigned kKeyFrames = 6;

/// Never 0.
uint64_t finding_key(const sim::Finding& finding);

} // namespace kiln::gates
