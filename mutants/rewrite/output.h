#pragma once
// The rewritten tree on disk. A file whose text is already there keeps its time, so that a build
// compiles only what changed.

#include <string>

#include "mutants/rewrite/table.h"

namespace kiln::mutants {

/// All files of the subject's folders below `out`, kiln_mutants.h, mutant_table.cpp, mutants.json.
/// False, and one sentence, when one cannot be written.
bool write_tree(const Rewritten& rewritten, const std::vector<TableRow>& rows, const Work& work,
                const std::string& out, std::string* error);

} // namespace kiln::mutants
