#pragma once
// All files that a mutation run leaves for people and for other tools.

#include <string>

#include "gates/mutation/results.h"

namespace kiln::gates {

/// Writes into `folder` (made when it is missing): mutation.html, mutation.json, survivors.sarif,
/// matrix.json, matrix.md and, under tapes/, the tape of every kill that has one. Source texts are
/// those of the checkout that the program stands in; one that is not there is told in the page and
/// in mutation.json. False, with one sentence in *error, when a file cannot be written.
bool write_reports(const MutationReport& report, const sim::MutantTable& table,
                   const std::string& folder, std::string* error);

/// The tape of a mutant's kill within the folder tapes/.
std::string mutant_tape_path(const std::string& tapes, uint32_t number);

} // namespace kiln::gates
