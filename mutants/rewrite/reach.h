#pragma once
// Which files of the subject's a unit can see: units that see none need not be parsed.

#include <set>
#include <string>
#include <vector>

#include "mutants/rewrite/parse.h"
#include "mutants/rewrite/subject.h"

namespace kiln::mutants {

/// For each unit: the files in the subject's folders that it is or includes, directly or through
/// others; absolute. Includes are read from the text, whatever #if they stand in; those in <> only
/// where a folder of the unit's own flags (-I) has the file.
std::vector<std::set<std::string>> subject_files_of(const std::vector<Unit>& units,
                                                    const Subject& subject);

} // namespace kiln::mutants
