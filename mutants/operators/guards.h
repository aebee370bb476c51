#pragma once
// Declarations of scoped guards.

#include <clang/AST/Decl.h>

#include "mutants/operators/operator.h"

namespace kiln::mutants {

/// The guard that a statement declares; null when it declares none.
const clang::VarDecl* declared_guard(const clang::Stmt* statement, const Place& place);
/// The one argument that a guard is made of; null when there are others.
const clang::Expr* lock_of(const clang::VarDecl& guard);

} // namespace kiln::mutants
