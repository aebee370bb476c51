#pragma once
// Survivors that nobody could kill, since the compiler makes the same code of them.

#include <functional>
#include <string>
#include <vector>

#include "gates/mutation/results.h"

namespace kiln::gates {

/// Whether a survivor is worth a look at its code: a mutant of the kernel that has not had one. In
/// a header it must have been reached: what no unit makes code of is the same in all of them, and
/// yet a blind spot.
bool wants_comparison(const MutantResult& result);

/// Compares the code of each with the original's, `jobs` at a time, and sets its verdict,
/// `compared` and, where nothing can be told, the reason. `scratch`: a folder for its own use;
/// removed. `told`, one call at a time, gets each when it is done. What an interruption leaves
/// undone stays as it was. False with a sentence when it cannot be done, or not of all.
bool compare_with_original(const std::vector<MutantResult*>& survivors, unsigned jobs,
                           const std::string& scratch,
                           const std::function<void(const MutantResult&)>& told,
                           std::string* error);

} // namespace kiln::gates
