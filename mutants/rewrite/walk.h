#pragma once
// What all operators want to do to one translation unit.

#include <memory>
#include <string>
#include <vector>

#include "mutants/operators/roles.h"
#include "mutants/rewrite/body_walk.h"
#include "mutants/rewrite/site.h"
#include "mutants/rewrite/subject.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace kiln::mutants {

/// What one unit's tree says about a file that it includes.
struct FileFacts {
  std::string path; ///< from the top of the checkout
  std::string text; ///< that the offsets are of
  std::vector<Site> sites;
  std::vector<Unmade> unmade;
  std::vector<FunctionBody> bodies;
};

/// In the order of the files' first functions; one thread per tree, `operators` not shared.
std::vector<FileFacts> walk_unit(clang::ASTContext& context, clang::Preprocessor& preprocessor,
                                 const Subject& subject, const Roles& roles,
                                 const Operators& operators, const std::string& directory);

} // namespace kiln::mutants
