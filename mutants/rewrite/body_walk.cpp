// The nodes of one function, as operators get to see them.

#include "mutants/rewrite/body_walk.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/Builtins.h>

#include "mutants/operators/ast.h"

namespace kiln::mutants {
namespace {

using namespace clang;

/// Sets a variable for as long as a scope lasts.
template <typename T> class Within {
 public:
  Within(T& variable, T value) : variable_(variable), before_(std::move(variable)) {
    variable_ = std::move(value);
  }
  ~Within() { variable_ = std::move(before_); }
  Within(const Within&) = delete;

 private:
  T& variable_;
  T before_;
};

/// Why the initialiser of a variable must stay as it is; empty: it need not.
std::string constant_initialiser(const VarDecl& variable) {
  if (variable.isConstexpr()) return "The compiler needs the value of a constexpr variable.";
  if (variable.hasGlobalStorage())
    return "A static variable may be initialised before the program runs.";
  const Expr* value = variable.getInit();
  if (value == nullptr || value->isValueDependent()) return "";
  ASTContext& context = variable.getASTContext();
  return variable.mightBeUsableInConstantExpressions(context) && value->isCXX11ConstantExpr(context)
             ? "The compiler may need the value of a constant."
             : "";
}

/// Its answer depends on how the argument is written.
bool asks_the_compiler(const Stmt& node) {
  const auto* call = dyn_cast<CallExpr>(&node);
  if (call == nullptr) return false;
  unsigned builtin = call->getBuiltinCallee();
  return builtin == Builtin::BI__builtin_constant_p ||
         builtin == Builtin::BI__builtin_object_size ||
         builtin == Builtin::BI__builtin_dynamic_object_size;
}

class BodyWalk {
 public:
  BodyWalk(const Place& place, const Operators& operators, BodyProposals& proposals)
      : place_(place), operators_(operators), proposals_(proposals) {}

  void function(const FunctionDecl& function, bool inherits_constexpr) {
    if (function.isConsteval()) return;
    if (place_.roles.has("self-check", qualified_name(function))) return;
    auto& where = proposals_.where;
    bool lambda =
        isa<CXXMethodDecl>(function) && cast<CXXMethodDecl>(function).getParent()->isLambda();
    Within<std::string> name(where.function,
                             lambda ? where.function : function.getQualifiedNameAsString());
    Within<bool> by_compiler(where.by_compiler,
                             function.isConstexpr() || inherits_constexpr || lambda);
    for (const auto& oper : operators_) {
      oper->look_at(function, place_, proposals_);
    }
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&function)) {
      for (const CXXCtorInitializer* member : constructor->inits()) {
        if (member->isWritten()) walk(member->getInit());
      }
    }
    walk(function.getBody());
  }

 private:
  void walk(const Stmt* node) {
    if (node == nullptr) return;
    if (const auto* list = dyn_cast<InitListExpr>(node); list && list->getSemanticForm()) {
      node = list->getSemanticForm();
    }
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, RequiresExpr, OffsetOfExpr,
            ConceptSpecializationExpr, CXXDefaultArgExpr, CXXDefaultInitExpr, OpaqueValueExpr,
            ImplicitValueInitExpr, SourceLocExpr, ArrayInitLoopExpr, AsmStmt>(node)) {
      return; // not evaluated, or not written here
    }
    if (asks_the_compiler(*node)) return;
    look_at(*node);
    descend(*node);
  }

  void look_at(const Stmt& node) {
    const auto* expression = dyn_cast<Expr>(&node);
    if (expression != nullptr && expression->getType().isNull()) return; // a list in a template
    for (const auto& oper : operators_) {
      if (expression != nullptr) {
        oper->look_at(*expression, place_, proposals_);
      } else {
        oper->look_at(node, place_, proposals_);
      }
    }
  }

  /// `why` it must stay as it is; empty: no reason of its own.
  void walk_constant(const Stmt* node, std::string why) {
    if (why.empty()) return walk(node);
    Within<std::string> constant(proposals_.where.constant, std::move(why));
    walk(node);
  }

  void children(const Stmt& node) {
    for (const Stmt* child : node.children()) {
      walk(child);
    }
  }

  void loop_body(const Stmt* body) {
    if (body == nullptr) return;
    proposals_.add_tick(*body);
    walk(body);
  }

  void descend(const Stmt& node) {
    switch (node.getStmtClass()) {
    case Stmt::DeclStmtClass:
      return declarations(cast<DeclStmt>(node));
    case Stmt::IfStmtClass:
      return if_statement(cast<IfStmt>(node));
    case Stmt::CaseStmtClass:
      return case_statement(cast<CaseStmt>(node));
    case Stmt::ForStmtClass:
      return for_loop(cast<ForStmt>(node));
    case Stmt::WhileStmtClass:
      return while_loop(cast<WhileStmt>(node));
    case Stmt::DoStmtClass:
      loop_body(cast<DoStmt>(node).getBody());
      return walk(cast<DoStmt>(node).getCond());
    case Stmt::CXXForRangeStmtClass:
      return range_loop(cast<CXXForRangeStmt>(node));
    case Stmt::LambdaExprClass:
      return lambda(cast<LambdaExpr>(node));
    case Stmt::ConstantExprClass:
      return walk_constant(cast<ConstantExpr>(node).getSubExpr(),
                           "The compiler needs a constant here.");
    case Stmt::CXXOperatorCallExprClass:
      for (const Expr* argument : cast<CXXOperatorCallExpr>(node).arguments()) {
        walk(argument);
      }
      return;
    case Stmt::CXXRewrittenBinaryOperatorClass:
      walk(cast<CXXRewrittenBinaryOperator>(node).getLHS());
      return walk(cast<CXXRewrittenBinaryOperator>(node).getRHS());
    case Stmt::BinaryConditionalOperatorClass:
      walk(cast<BinaryConditionalOperator>(node).getCommon());
      return walk(cast<BinaryConditionalOperator>(node).getFalseExpr());
    default:
      return children(node);
    }
  }

  void declarations(const DeclStmt& node) {
    for (const Decl* declaration : node.decls()) {
      if (const auto* variable = dyn_cast<VarDecl>(declaration)) {
        array_bounds(*variable);
        walk_constant(variable->getInit(), constant_initialiser(*variable));
      } else if (const auto* check = dyn_cast<StaticAssertDecl>(declaration)) {
        walk_constant(check->getAssertExpr(), "A static_assert is for the compiler.");
      } else if (const auto* record = dyn_cast<CXXRecordDecl>(declaration)) {
        for (const CXXMethodDecl* method : record->methods()) {
          if (!method->isImplicit() && method->doesThisDeclarationHaveABody()) {
            function(*method, false);
          }
        }
      }
    }
  }

  void array_bounds(const VarDecl& variable) {
    if (variable.getTypeSourceInfo() == nullptr) return;
    auto array = variable.getTypeSourceInfo()->getTypeLoc().getAs<ArrayTypeLoc>();
    if (array && array.getSizeExpr() != nullptr) {
      walk_constant(array.getSizeExpr(), "The bound of an array is a constant.");
    }
  }

  void if_statement(const IfStmt& node) {
    walk(node.getInit());
    walk(node.getConditionVariableDeclStmt());
    if (node.isConstexpr()) {
      walk_constant(node.getCond(), "The condition of an if constexpr is a constant.");
    } else if (!node.isConsteval() && node.getConditionVariable() == nullptr) {
      walk(node.getCond());
    }
    if (!node.isNonNegatedConsteval()) walk(node.getThen());
    if (!node.isNegatedConsteval()) walk(node.getElse());
  }

  void case_statement(const CaseStmt& node) {
    const char* why = "The label of a case is a constant.";
    walk_constant(node.getLHS(), why);
    walk_constant(node.getRHS(), why);
    walk(node.getSubStmt());
  }

  void for_loop(const ForStmt& node) {
    walk(node.getInit());
    walk(node.getConditionVariableDeclStmt());
    if (node.getConditionVariable() == nullptr) walk(node.getCond());
    walk(node.getInc());
    loop_body(node.getBody());
  }

  void while_loop(const WhileStmt& node) {
    walk(node.getConditionVariableDeclStmt());
    if (node.getConditionVariable() == nullptr) walk(node.getCond());
    loop_body(node.getBody());
  }

  void range_loop(const CXXForRangeStmt& node) {
    walk(node.getInit());
    walk(node.getRangeInit());
    loop_body(node.getBody());
  }

  void lambda(const LambdaExpr& node) {
    for (const Expr* capture : node.capture_inits()) {
      if (capture != nullptr && !capture->getSourceRange().isInvalid()) walk(capture);
    }
    function(*node.getCallOperator(), proposals_.where.by_compiler);
  }

  const Place& place_;
  const Operators& operators_;
  BodyProposals& proposals_;
};

} // namespace

void walk_body(const FunctionDecl& function, const Place& place, const Operators& operators,
               BodyProposals& proposals) {
  BodyWalk(place, operators, proposals).function(function, false);
}

} // namespace kiln::mutants
