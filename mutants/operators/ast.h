#pragma once
// What operators ask of the syntax tree: names, texts, and where a node stands.

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <string>
#include <string_view>

#include "mutants/operators/operator.h"
#include "mutants/operators/roles.h"

namespace kiln::mutants {

// --- Names and roles

/// Namespaces, classes and the name itself; no template arguments, no anonymous namespaces.
std::string qualified_name(const clang::NamedDecl& decl);
/// Without implicit nodes and parentheses; from a cast to void what is cast.
const clang::Expr& bare(const clang::Expr& expression);
/// The function that a call names; null when it is no call, or one through a pointer.
const clang::FunctionDecl* callee_of(const clang::Expr& expression);
bool calls(const clang::Expr& expression, std::string_view role, const Place& place);
/// The same for a statement that is nothing but the call.
bool calls(const clang::Stmt* statement, std::string_view role, const Place& place);
/// The class of a type, or the name of a template's parameter in its place.
bool has_role(clang::QualType type, std::string_view role, const Place& place);

// --- Texts

/// The source of a node on one line, without comments; as written where it cannot be.
std::string text_of(const clang::Stmt& node, const Proposals& proposals);
/// As above, for any text.
std::string on_one_line(const std::string& text);
/// Raw source from the beginning of one location's token up to that of the other's.
std::string text_between(clang::SourceLocation begin, clang::SourceLocation end,
                         const Place& place);
/// `expression` evaluated for its effects, then `value`.
std::string evaluated_then(const clang::Expr& expression, std::string_view value,
                           const Proposals& proposals);

/// Proposes another condition for an `if` whose own declares a variable: behind the declaration, so
/// that it can name the variable.
void propose_condition(const clang::IfStmt& branch, std::string_view condition,
                       std::string_view oper, const Place& place, Proposals& proposals);

// --- Places

/// Not to be looked at: part of a macro's body, or of an assertion, a log line, a panic or a note
/// to the machine.
bool is_left_alone(const clang::Stmt& node, const Place& place);
/// Null when a declaration encloses the node directly.
const clang::Stmt* parent_of(const clang::Stmt& node, const Place& place);
const clang::Stmt* parent_of(const clang::Stmt& node, const clang::ASTContext& context);
/// Null when it is no loop.
const clang::Stmt* loop_body(const clang::Stmt& node);
/// The statement that is nothing but this expression (whose value nobody uses); else null.
const clang::Expr* whole_statement(const clang::Expr& expression, const Place& place);
/// The last statement, when it is a compound statement; else itself. Null when there is none.
const clang::Stmt* last_of(const clang::Stmt* body);
const clang::Stmt* first_of(const clang::Stmt* body);
/// return, break, continue or goto.
bool leaves(const clang::Stmt* statement);
/// =, +=, ++ and the like, built in or a class's own.
bool is_assignment(const clang::Expr& node);
/// Hands each two neighbours in a compound statement to `act`; nothing for other statements.
template <typename Act> void for_neighbours(const clang::Stmt& node, const Act& act) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&node);
  if (block == nullptr) return;
  const clang::Stmt* before = nullptr;
  for (const clang::Stmt* statement : block->body()) {
    if (before != nullptr) act(*before, *statement);
    before = statement;
  }
}
/// Whether a node that answers `wanted` lies in the tree, lambdas left out.
template <typename Wanted> bool contains(const clang::Stmt* tree, const Wanted& wanted) {
  if (tree == nullptr || llvm::isa<clang::LambdaExpr>(tree)) return false;
  if (wanted(*tree)) return true;
  for (const clang::Stmt* child : tree->children()) {
    if (contains(child, wanted)) return true;
  }
  return false;
}

// --- Values

/// The standard's enumeration, or a kernel's own of that name.
bool is_memory_order(clang::QualType type);
/// bool, numbers, enumerators and pointers.
bool is_scalar(clang::QualType type);
/// A number, or something in a template that may be one.
bool may_be_number(clang::QualType type);
/// For Proposals::choose: whether original and variants can be evaluated one after the other.
bool is_comparable(const clang::Expr& expression);
/// Value of an integer constant that is written as a literal, casts aside.
bool is_literal(const clang::Expr& expression, uint64_t value);

} // namespace kiln::mutants
