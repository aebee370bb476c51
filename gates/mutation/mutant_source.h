#pragma once
// A mutant as plain source: its file as it would be if somebody had made the change by hand.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gates/mutation/report_sources.h"

namespace kiln::gates {

/// What stands in the place of the original, in full, by the mutant's number; from the mutants.json
/// that was written with this program's table. Nothing, and one sentence, when it is another's.
std::optional<std::vector<std::string>> read_replacements(const std::string& path,
                                                          std::string* error);

/// The file with `replacement` in the mutant's place. All else keeps its line, since assertions
/// know theirs. Nothing when the file is not what was mutated.
std::optional<std::string> mutated_text(const sim::Mutant& mutant, const std::string& replacement,
                                        const ReportSources::File& file);

} // namespace kiln::gates
