#pragma once
// The frame: reads the subject's sources as their units compile them, asks all operators, joins
// what they propose to one text a file, and takes out what does not compile.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mutants/named/patch.h"
#include "mutants/operators/roles.h"
#include "mutants/rewrite/parse.h"
#include "mutants/rewrite/render.h"
#include "mutants/rewrite/subject.h"

namespace kiln::mutants {

struct Work {
  Subject subject;
  Roles roles;
  std::vector<Unit> units; ///< all that may include a file of the subject's
  std::vector<Patch> patches;
  std::string header; ///< absolute path that the header is going to have (header_text)
  unsigned jobs = 2;
  std::function<void(const std::string&)> says; ///< progress, a line at a time
};

struct Rewritten {
  /// By path; those with functions in them. Numbered, and their texts compile.
  std::map<std::string, SourceFile> files;
  unsigned rounds = 0; ///< of parsing, the first included
};

/// False, and one sentence, when the original does not compile or a patch does not fit. The result
/// does not depend on `jobs`.
bool rewrite(const Work& work, Rewritten* result, std::string* error);

/// What every object that may hold a mutant includes first: the macros, and each file's sites.
std::string header_text(const std::map<std::string, SourceFile>& files);

} // namespace kiln::mutants
