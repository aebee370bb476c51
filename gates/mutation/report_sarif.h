#pragma once
// Survivors as SARIF 2.1.0 (OASIS), for code hosts and editors that show them at their lines.

#include <string>

#include "gates/mutation/report_sources.h"
#include "gates/mutation/results.h"

namespace kiln::gates {

/// One result a survivor of the kernel's, and one an entry of the catalogue that was missed. Its
/// rule is the verdict and the operator, "not-noticed/drop-check". Its fingerprint is made of path,
/// function, operator and change, so that it stays when lines move.
std::string survivors_sarif(const MutationReport& report, const sim::MutantTable& table,
                            ReportSources& sources);

} // namespace kiln::gates
