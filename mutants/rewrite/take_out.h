#pragma once
// Takes out what does not compile.

#include <string>
#include <vector>

#include "mutants/rewrite/rewrite.h"

namespace kiln::mutants {

/// Parses the rewritten text of `units` (indices in Work::units) until it compiles; mutants that
/// the compiler complains of become unmade. False, and one sentence, when a patch is one of them or
/// none is to blame.
bool take_out(const Work& work, std::vector<size_t> units, Rewritten* result, std::string* error);

} // namespace kiln::mutants
