// Conditions and answers turned round.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "negate";

class Negate : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a condition, or the bool that a function returns, is turned round"}};
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    if (const auto* branch = dyn_cast<IfStmt>(&node)) {
      if (branch->isConstexpr() || branch->isConsteval()) return;
      if (const VarDecl* variable = branch->getConditionVariable()) {
        if (is_left_alone(node, place)) return;
        propose_condition(*branch, "!" + variable->getNameAsString(), kName, place, proposals);
        return;
      }
      look_at_condition(node, branch->getCond(), nullptr, place, proposals);
    } else if (const auto* loop = dyn_cast<WhileStmt>(&node)) {
      look_at_condition(node, loop->getCond(), loop->getConditionVariable(), place, proposals);
    } else if (const auto* loop = dyn_cast<DoStmt>(&node)) {
      look_at_condition(node, loop->getCond(), nullptr, place, proposals);
    } else if (const auto* loop = dyn_cast<ForStmt>(&node)) {
      look_at_condition(node, loop->getCond(), loop->getConditionVariable(), place, proposals);
    } else if (const auto* back = dyn_cast<ReturnStmt>(&node)) {
      look_at_returned(*back, place, proposals);
    }
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (const auto* choice = dyn_cast<ConditionalOperator>(&node)) {
      look_at_condition(node, choice->getCond(), nullptr, place, proposals);
    }
  }

 private:
  static void look_at_condition(const Stmt& node, const Expr* condition, const VarDecl* declared,
                                const Place& place, Proposals& proposals) {
    if (condition == nullptr || is_left_alone(node, place)) return;
    if (declared != nullptr) {
      proposals.unmade(node, kName, "The condition of the loop declares a variable.");
    } else if (!isa<CXXBoolLiteralExpr>(condition->IgnoreParenImpCasts())) {
      propose(*condition, proposals);
    }
  }
  static void look_at_returned(const ReturnStmt& back, const Place& place, Proposals& proposals) {
    const Expr* value = back.getRetValue();
    if (value == nullptr || !value->getType()->isBooleanType()) return;
    if (!is_left_alone(*value, place)) propose(*value, proposals);
  }
  static void propose(const Expr& condition, Proposals& proposals) {
    const Expr& inner = *condition.IgnoreParenImpCasts();
    // == and != are turned round wherever they stand (comparison.cpp).
    const auto* binary = dyn_cast<BinaryOperator>(&inner);
    if (binary != nullptr && binary->isEqualityOp()) return;
    if (isa<CXXRewrittenBinaryOperator>(inner)) return;
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(&inner);
        call != nullptr &&
        (call->getOperator() == OO_EqualEqual || call->getOperator() == OO_ExclaimEqual)) {
      return;
    }
    proposals.choose(condition, {{std::string(kName), negated(inner, proposals)}},
                     is_comparable(condition));
  }
  static std::string negated(const Expr& inner, Proposals& proposals) {
    if (const auto* literal = dyn_cast<CXXBoolLiteralExpr>(&inner)) {
      return literal->getValue() ? "false" : "true";
    }
    const auto* unary = dyn_cast<UnaryOperator>(&inner);
    if (unary != nullptr && unary->getOpcode() == UO_LNot) {
      const Expr& positive = *unary->getSubExpr();
      const std::string text = text_of(positive, proposals);
      const bool is_bool = positive.IgnoreParenImpCasts()->getType()->isBooleanType();
      return is_bool ? text : "static_cast<bool>(" + text + ")";
    }
    return "!(" + text_of(inner, proposals) + ")";
  }
};

} // namespace

std::unique_ptr<Operator> make_negate() { return std::make_unique<Negate>(); }

} // namespace kiln::mutants
