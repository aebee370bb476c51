#include "mutants/operators/ast.h"

#include <algorithm>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "mutants/operators/text.h"

namespace kiln::mutants {

using namespace clang;

// --- Names and roles

std::string qualified_name(const NamedDecl& decl) {
  std::string name = decl.getNameAsString();
  for (const DeclContext* in = decl.getDeclContext(); in != nullptr; in = in->getParent()) {
    const auto* scope = dyn_cast<NamedDecl>(in);
    if (scope == nullptr || isa<FunctionDecl>(in)) continue;
    const auto* space = dyn_cast<NamespaceDecl>(in);
    if (space != nullptr && (space->isAnonymousNamespace() || space->isInline())) continue;
    name = scope->getNameAsString() + "::" + name;
  }
  return name;
}

const Expr& bare(const Expr& expression) {
  const Expr* inner = expression.IgnoreParenImpCasts();
  for (;;) {
    if (const auto* whole = dyn_cast<FullExpr>(inner)) {
      inner = whole->getSubExpr()->IgnoreParenImpCasts();
    } else if (const auto* cast = dyn_cast<ExplicitCastExpr>(inner);
               cast != nullptr && cast->getType()->isVoidType()) {
      inner = cast->getSubExpr()->IgnoreParenImpCasts();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(inner)) {
      inner = bound->getSubExpr()->IgnoreParenImpCasts();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) {
      inner = temporary->getSubExpr()->IgnoreParenImpCasts();
    } else {
      return *inner;
    }
  }
}

const FunctionDecl* callee_of(const Expr& expression) {
  const auto* call = dyn_cast<CallExpr>(&bare(expression));
  return call == nullptr ? nullptr : call->getDirectCallee();
}

namespace {

/// Inherited members count as those of the class that declares them. In a template a call may be
/// known by a set of functions of one name, or by the bare name alone.
std::string called_name(const Expr& expression) {
  if (const FunctionDecl* callee = callee_of(expression)) return qualified_name(*callee);
  const auto* call = dyn_cast<CallExpr>(&bare(expression));
  if (call == nullptr) return {};
  const Expr* called = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(called)) {
    return member->getMember().getAsString();
  }
  const auto* set = dyn_cast<OverloadExpr>(called);
  if (set == nullptr || set->decls_begin() == set->decls_end()) return {};
  return qualified_name(**set->decls_begin());
}

} // namespace

bool calls(const Expr& expression, std::string_view role, const Place& place) {
  const std::string name = called_name(expression);
  return !name.empty() && place.roles.has(role, name);
}

bool calls(const Stmt* statement, std::string_view role, const Place& place) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  return expression != nullptr && calls(*expression, role, place);
}

bool has_role(QualType type, std::string_view role, const Place& place) {
  type = type.getNonReferenceType();
  if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
    return place.roles.has(role, qualified_name(*record));
  }
  // getAs() would give the canonical type, which has no name.
  const auto* parameter = dyn_cast<TemplateTypeParmType>(type.getTypePtr());
  return parameter != nullptr && parameter->getDecl() != nullptr &&
         place.roles.has(role, parameter->getDecl()->getName().str());
}

// --- Texts

std::string on_one_line(const std::string& text) { return one_line(text).value_or(text); }

std::string text_of(const Stmt& node, const Proposals& proposals) {
  return on_one_line(proposals.source_text(node));
}

std::string text_between(SourceLocation begin, SourceLocation end, const Place& place) {
  const SourceManager& sources = place.context.getSourceManager();
  const auto [file, from] = sources.getDecomposedSpellingLoc(begin);
  const auto [other, to] = sources.getDecomposedSpellingLoc(end);
  if (file != other || to < from) return {};
  return sources.getBufferData(file).substr(from, to - from).str();
}

std::string evaluated_then(const Expr& expression, std::string_view value,
                           const Proposals& proposals) {
  return "(static_cast<void>(" + text_of(expression, proposals) + "), " + std::string(value) + ")";
}

namespace {

/// An `if` whose condition declares a variable, with another condition behind the declaration;
/// empty when it has an initial statement of its own.
std::string with_condition(const IfStmt& branch, std::string_view condition, const Place& place) {
  if (branch.hasInitStorage()) return {};
  const SourceManager& sources = place.context.getSourceManager();
  const SourceLocation end = Lexer::getLocForEndOfToken(sources.getSpellingLoc(branch.getEndLoc()),
                                                        0, sources, place.context.getLangOpts());
  const std::string declaration = text_between(branch.getBeginLoc(), branch.getRParenLoc(), place);
  const std::string rest = text_between(branch.getRParenLoc(), end, place);
  if (declaration.empty() || rest.empty()) return {};
  return on_one_line(declaration + "; " + std::string(condition) + rest + ";");
}

} // namespace

void propose_condition(const IfStmt& branch, std::string_view condition, std::string_view oper,
                       const Place& place, Proposals& proposals) {
  const std::string text = with_condition(branch, condition, place);
  if (text.empty()) {
    proposals.unmade(branch, oper, "The condition declares a variable behind another statement.");
  } else {
    proposals.replace(branch, oper, text);
  }
}

// --- Places

namespace {

constexpr std::string_view kLeftAlone[] = {"assert", "self-check", "log", "panic", "annotation"};

bool has_such_role(const std::string& name, const Place& place) {
  return std::ranges::any_of(kLeftAlone,
                             [&](std::string_view role) { return place.roles.has(role, name); });
}

bool in_such_macro(SourceLocation at, const Place& place) {
  const SourceManager& sources = place.context.getSourceManager();
  while (at.isMacroID()) {
    const StringRef macro = Lexer::getImmediateMacroName(at, sources, place.context.getLangOpts());
    if (has_such_role(macro.str(), place)) return true;
    at = sources.getImmediateExpansionRange(at).getBegin();
  }
  return false;
}

bool is_spelled(SourceLocation at, const SourceManager& sources) {
  while (at.isMacroID()) {
    if (!sources.isMacroArgExpansion(at)) return false;
    at = sources.getImmediateSpellingLoc(at);
  }
  return at.isValid();
}

} // namespace

const Stmt* parent_of(const Stmt& node, const ASTContext& context) {
  // Only the map of parents is built lazily; nothing that a reader could see changes.
  const DynTypedNodeList parents = const_cast<ASTContext&>(context).getParents(node);
  return parents.empty() ? nullptr : parents[0].get<Stmt>();
}

namespace {

/// As parent_of; from what a variable begins with on to its declaration.
const Stmt* enclosing(const Stmt& node, const Place& place) {
  auto& context = const_cast<ASTContext&>(place.context);
  DynTypedNodeList parents = context.getParents(node);
  if (!parents.empty() && parents[0].get<VarDecl>() != nullptr) {
    parents = context.getParents(*parents[0].get<VarDecl>());
  }
  return parents.empty() ? nullptr : parents[0].get<Stmt>();
}

/// An assertion, a log line, a panic or a note to the machine, by itself or as a statement.
bool serves_such(const Stmt& node, const Place& place) {
  if (in_such_macro(node.getBeginLoc(), place)) return true;
  const auto* expression = dyn_cast<Expr>(&node);
  if (expression == nullptr) return false;
  const std::string name = called_name(*expression);
  return !name.empty() && has_such_role(name, place);
}

/// A loop whose block, not an empty one, has nothing else.
bool is_loop_of_such(const Stmt& node, const Place& place) {
  const auto* block = dyn_cast_or_null<CompoundStmt>(loop_body(node));
  if (block == nullptr || block->body_empty()) return false;
  return std::all_of(block->body_begin(), block->body_end(),
                     [&](const Stmt* at) { return serves_such(*at, place); });
}

} // namespace

bool is_left_alone(const Stmt& node, const Place& place) {
  const SourceManager& sources = place.context.getSourceManager();
  if (!is_spelled(node.getBeginLoc(), sources) || !is_spelled(node.getEndLoc(), sources)) {
    return true;
  }
  for (const Stmt* at = &node; at != nullptr && !isa<CompoundStmt>(at);
       at = enclosing(*at, place)) {
    if (isa<LambdaExpr>(at)) return false;
    if (serves_such(*at, place) || is_loop_of_such(*at, place)) return true;
  }
  return false;
}

const Stmt* parent_of(const Stmt& node, const Place& place) {
  return parent_of(node, place.context);
}

const Stmt* loop_body(const Stmt& node) {
  if (const auto* loop = dyn_cast<ForStmt>(&node)) return loop->getBody();
  if (const auto* loop = dyn_cast<WhileStmt>(&node)) return loop->getBody();
  if (const auto* loop = dyn_cast<DoStmt>(&node)) return loop->getBody();
  const auto* loop = dyn_cast<CXXForRangeStmt>(&node);
  return loop == nullptr ? nullptr : loop->getBody();
}

namespace {

bool is_of_statements(const Stmt& parent, const Stmt& child, const Place& place) {
  if (isa<CompoundStmt>(parent)) {
    const Stmt* around = parent_of(parent, place);
    const bool is_value = isa_and_nonnull<StmtExpr>(around) && last_of(&parent) == &child;
    return !is_value;
  }
  if (const auto* branch = dyn_cast<IfStmt>(&parent)) {
    return branch->getThen() == &child || branch->getElse() == &child;
  }
  if (const Stmt* body = loop_body(parent)) return body == &child;
  if (const auto* label = dyn_cast<SwitchCase>(&parent)) return label->getSubStmt() == &child;
  return isa<LabelStmt, AttributedStmt>(parent);
}

} // namespace

const Expr* whole_statement(const Expr& expression, const Place& place) {
  const Expr* top = &expression;
  for (;;) {
    const Stmt* parent = parent_of(*top, place);
    if (parent == nullptr) return nullptr;
    const auto* outer = dyn_cast<Expr>(parent);
    if (outer == nullptr) return is_of_statements(*parent, *top, place) ? top : nullptr;
    const bool to_void = isa<ExplicitCastExpr>(outer) && outer->getType()->isVoidType();
    if (!to_void &&
        !isa<FullExpr, ParenExpr, ImplicitCastExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(
            outer)) {
      return nullptr;
    }
    top = outer;
  }
}

namespace {

/// [[unlikely]] and the like.
const Stmt* without_attributes(const Stmt* statement) {
  const auto* attributed = dyn_cast_or_null<AttributedStmt>(statement);
  return attributed == nullptr ? statement : attributed->getSubStmt();
}

} // namespace

const Stmt* last_of(const Stmt* body) {
  body = without_attributes(body);
  const auto* block = dyn_cast_or_null<CompoundStmt>(body);
  if (block == nullptr) return body;
  return block->body_empty() ? nullptr : block->body_back();
}

const Stmt* first_of(const Stmt* body) {
  body = without_attributes(body);
  const auto* block = dyn_cast_or_null<CompoundStmt>(body);
  if (block == nullptr) return body;
  return block->body_empty() ? nullptr : block->body_front();
}

bool leaves(const Stmt* statement) {
  return isa_and_nonnull<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(statement);
}

bool is_assignment(const Expr& node) {
  if (const auto* binary = dyn_cast<BinaryOperator>(&node)) return binary->isAssignmentOp();
  if (const auto* unary = dyn_cast<UnaryOperator>(&node)) return unary->isIncrementDecrementOp();
  const auto* call = dyn_cast<CXXOperatorCallExpr>(&node);
  return call != nullptr && (call->isAssignmentOp() || call->getOperator() == OO_PlusPlus ||
                             call->getOperator() == OO_MinusMinus);
}

// --- Values

bool is_memory_order(QualType type) {
  const auto* order = type->getAs<EnumType>();
  return order != nullptr && order->getDecl()->getName() == "memory_order";
}

bool is_scalar(QualType type) {
  return !type.isNull() && !type->isDependentType() &&
         (type->isArithmeticType() || type->isEnumeralType() || type->isPointerType());
}

bool may_be_number(QualType type) {
  return type->isDependentType() || (type->isArithmeticType() && !type->isBooleanType());
}

bool is_comparable(const Expr& expression) {
  return is_scalar(expression.getType()) && is_pure(expression);
}

bool is_literal(const Expr& expression, uint64_t value) {
  const auto* literal = dyn_cast<IntegerLiteral>(expression.IgnoreParenCasts());
  return literal != nullptr && literal->getValue() == value;
}

} // namespace kiln::mutants
