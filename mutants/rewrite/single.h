#pragma once
// One mutant as plain source: for those who compile it alone.

#include <string>

namespace kiln::mutants {

/// Writes the file of mutant `number` of `mutants` (a mutants.json) below `root`, changed by it, to
/// `out`; of a named mutant of several files, the first. False, and one sentence, when there is
/// none or the file is not what it was.
bool write_single(const std::string& mutants, const std::string& root, size_t number,
                  const std::string& out, std::string* error);

} // namespace kiln::mutants
