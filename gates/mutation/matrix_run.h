#pragma once
// Every mutant against every target that reaches it, with every strategy, each on its own: what the
// matrix is made of. The run itself ends at the first target that finds a mutant.

#include <string>

#include "gates/mutation/mutation_run.h"

namespace kiln::gates {

/// Fills `alone` of the report's killed and surviving mutants; verdicts stay. Empty for those of
/// which not every try was made, as when interrupted. Sentence when the runner failed.
void fill_matrix(Pool& pool, MutationRun& run, std::string* error);

} // namespace kiln::gates
