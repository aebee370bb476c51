#pragma once
// The run as Mutation Testing Elements JSON, which viewers of several languages share:
// github.com/stryker-mutator/mutation-testing-elements, report schema 2.

#include <string>
#include <string_view>

#include "gates/mutation/report_sources.h"
#include "gates/mutation/results.h"

namespace kiln::gates {

/// The schema's word: "Killed", "Survived", "NoCoverage", "Timeout", ...
std::string_view elements_status(const MutantResult& result);

/// Mutants of the kernel and of the catalogue, and the places that were not compiled, by file.
/// Tests are targets. A file that the checkout lacks has an empty source and is named under
/// config/missingSources.
std::string mutation_elements_json(const MutationReport& report, const sim::MutantTable& table,
                                   ReportSources& sources);

} // namespace kiln::gates
