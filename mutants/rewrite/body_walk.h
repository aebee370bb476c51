#pragma once
// Shows one function to all operators.

#include <memory>
#include <string>
#include <vector>

#include "mutants/operators/operator.h"

namespace kiln::mutants {

using Operators = std::vector<std::unique_ptr<Operator>>;

/// Takes proposals, and what they alone do not say.
class BodyProposals : public Proposals {
 public:
  /// Of the function whose nodes are looked at next.
  struct Where {
    std::string function; ///< qualified name
    bool by_compiler = false;
    std::string constant; ///< why the compiler needs a constant here; empty: it does not
  };
  Where where;
  /// The body of a loop.
  virtual void add_tick(const clang::Stmt& body) = 0;
};

/// Every node of the body, and of the initialisers that are written before it, lambdas and local
/// classes included; nothing that is not evaluated or not written there.
void walk_body(const clang::FunctionDecl& function, const Place& place, const Operators& operators,
               BodyProposals& proposals);

} // namespace kiln::mutants
