#pragma once
// A run's summary for machines: --json and --junit. docs/bundle.md documents the JSON beside the
// bundle's.

#include <string>
#include <string_view>

#include "gates/finding/run_summary.h"

namespace kiln::gates {

inline constexpr unsigned kSummaryVersion = 1;

std::string summary_to_json(const RunSummary& run);

/// JUnit's XML as CI systems read it: one <testsuite> an area, one <testcase> a target, a <failure>
/// for every finding that is not silenced, an <error> where the runner failed, <skipped/> for what
/// was not run to its end for another reason.
std::string summary_to_junit(const RunSummary& run);

/// Text as XML content or attribute: markup escaped, what XML 1.0 forbids (control characters,
/// bytes that are no UTF-8) written as "\xNN".
std::string xml_escaped(std::string_view text);

} // namespace kiln::gates
