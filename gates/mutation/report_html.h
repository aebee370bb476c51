#pragma once
// The run as one HTML page that needs nothing else: no network, no second file.

#include <string>
#include <string_view>

#include "gates/mutation/report_sources.h"
#include "gates/mutation/results.h"
#include "gates/mutation/tally.h"

namespace kiln::gates {

/// `tapes`: the folder that tapes are written into, as a command of the user would name it; ""
/// leaves the commands out.
std::string mutation_html(const MutationReport& report, const sim::MutantTable& table,
                          ReportSources& sources, const std::string& tapes);

// Parts of the page, one a file.

/// Bars and counts by folder and file, then by operator.
std::string html_summary(const Tallies& tallies);
/// Survivors by verdict, each with its lines before and after.
std::string html_survivors(const std::vector<Outcome>& mutants, ReportSources& sources);
/// The killed, and the commands that show each kill again.
std::string html_killed(const std::vector<Outcome>& mutants, const std::string& tapes);
/// Those that are in no score, and why.
std::string html_apart(const std::vector<Outcome>& mutants,
                       const std::vector<const sim::UnmadeMutant*>& unmade);
std::string html_catalogue(const std::vector<NamedOutcome>& outcomes, const std::string& tapes);
std::string html_harness(const std::vector<HarnessResult>& parts);

/// The page around the parts: style and script.
std::string html_page(std::string_view title, std::string_view body);
/// Any text as content or attribute.
std::string html_text(std::string_view text);
std::string html_code(std::string_view text);
/// "<code>a</code> becomes <code>b</code>".
std::string html_change(const sim::Mutant& mutant);
/// "path:line".
std::string html_place(const char* path, uint32_t line);

} // namespace kiln::gates
