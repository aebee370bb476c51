#pragma once
// One mutant, looked at: what it changes, what came of it, and the tape that shows it.

#include <string>

#include "gates/mutation/mutation_run.h"

namespace kiln::gates {

/// Its place, its line, the change, and the verdict, in words.
std::string mutant_in_words(const MutantResult& result);

/// The tape of a killed mutant: as the trial told it, or, when the mutant ends its process, made
/// from the seed and run again in workers of `pool` that boot with it armed. Nothing, and one
/// sentence, when no tape shows the finding.
std::optional<std::vector<uint8_t>> killing_tape(Pool& pool, const MutationRun& run,
                                                 const MutantResult& result, std::string* error);

} // namespace kiln::gates
