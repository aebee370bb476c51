#pragma once
// Which units can see a file of the subject's: the others need not be parsed.

#include <vector>

#include "mutants/rewrite/parse.h"
#include "mutants/rewrite/subject.h"

namespace kiln::mutants {

/// Units that lie in the subject's folders, or include a file there, directly or through others.
/// Includes are read from the text, whatever #if they stand in; those in <> only where a folder of
/// the unit's own flags (-I) has the file.
std::vector<Unit> units_that_reach(const std::vector<Unit>& units, const Subject& subject);

} // namespace kiln::mutants
