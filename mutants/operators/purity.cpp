// Which expressions can be evaluated once more without anybody noticing.

#include <algorithm>
#include <clang/AST/ExprCXX.h>

#include "mutants/operators/ast.h"

namespace kiln::mutants {

using namespace clang;

namespace {

bool takes_no_more_than_values(const FunctionDecl& function) {
  return std::ranges::all_of(function.parameters(), [](const ParmVarDecl* parameter) {
    const QualType type = parameter->getType();
    if (type->isReferenceType()) return type.getNonReferenceType().isConstQualified();
    return !type->isPointerType() || type->getPointeeType().isConstQualified();
  });
}

/// Atomic operations are seen by the machine, and two of them may see different values.
bool is_atomic(const FunctionDecl& function) {
  return StringRef(qualified_name(function)).contains("atomic");
}

bool is_pure_function(const FunctionDecl* function) {
  if (function == nullptr || is_atomic(*function)) return false;
  if (const auto* method = dyn_cast<CXXMethodDecl>(function)) {
    if (method->isConst()) return takes_no_more_than_values(*function);
    if (!method->isStatic() && !isa<CXXConstructorDecl>(method)) return false;
  }
  return function->isConstexpr() && takes_no_more_than_values(*function);
}

bool is_pure_node(const Expr& node) {
  if (node.getType().isNull() || node.getType().isVolatileQualified()) return false;
  if (const auto* unary = dyn_cast<UnaryOperator>(&node)) return !unary->isIncrementDecrementOp();
  if (const auto* binary = dyn_cast<BinaryOperator>(&node)) return !binary->isAssignmentOp();
  if (const auto* call = dyn_cast<CallExpr>(&node))
    return is_pure_function(call->getDirectCallee());
  if (const auto* made = dyn_cast<CXXConstructExpr>(&node)) {
    return made->getConstructor()->isTrivial() || is_pure_function(made->getConstructor());
  }
  return isa<DeclRefExpr, MemberExpr, IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr,
             CXXNullPtrLiteralExpr, StringLiteral, CastExpr, ParenExpr, ConstantExpr,
             ExprWithCleanups, MaterializeTemporaryExpr, ArraySubscriptExpr, ConditionalOperator,
             CXXThisExpr, UnaryExprOrTypeTraitExpr, InitListExpr, SubstNonTypeTemplateParmExpr,
             ImplicitValueInitExpr, CXXDefaultArgExpr, CXXRewrittenBinaryOperator>(node);
}

} // namespace

bool is_pure(const Expr& expression) {
  if (expression.isTypeDependent()) return false;
  return !contains(&expression, [](const Stmt& node) {
    const auto* inner = dyn_cast<Expr>(&node);
    return inner == nullptr || !is_pure_node(*inner);
  }) && !isa<LambdaExpr>(expression.IgnoreParenImpCasts());
}

} // namespace kiln::mutants
