// Another operation on the same numbers.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "arithmetic";

/// The operation that takes an operation's place; null for those that are left alone.
const char* other(BinaryOperatorKind kind) {
  switch (kind) {
  case BO_Add:
    return "-";
  case BO_Sub:
    return "+";
  case BO_Mul:
    return "/";
  case BO_Div:
    return "*";
  case BO_Rem:
    return "/";
  case BO_Shl:
    return ">>";
  case BO_Shr:
    return "<<";
  case BO_And:
    return "|";
  case BO_Or:
    return "&";
  case BO_Xor:
    return "|";
  default:
    return nullptr;
  }
}

class Arithmetic : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "+ - * / % << >> & | ^, their assignments, ++ and -- become another of them"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (const auto* binary = dyn_cast<BinaryOperator>(&node)) {
      if (!is_left_alone(node, place)) look_at_binary(*binary, place, proposals);
    } else if (const auto* unary = dyn_cast<UnaryOperator>(&node)) {
      if (unary->isIncrementDecrementOp() && !is_left_alone(node, place)) {
        look_at_step(*unary, place, proposals);
      }
    }
  }

 private:
  static void look_at_binary(const BinaryOperator& binary, const Place& place,
                             Proposals& proposals) {
    const bool assigns = binary.isCompoundAssignmentOp();
    const BinaryOperatorKind kind =
        assigns ? BinaryOperator::getOpForCompoundAssignment(binary.getOpcode())
                : binary.getOpcode();
    const char* sign = other(kind);
    if (sign == nullptr || !has_numbers(binary) || is_same(kind, *binary.getRHS())) return;
    if (assigns && is_header_of_loop(binary, place)) return;
    const std::string text = text_of(*binary.getLHS(), proposals) + " " + sign +
                             (assigns ? "= " : " ") + text_of(*binary.getRHS(), proposals);
    const bool loose = !assigns && needs_parentheses(binary, kind);
    proposals.choose(binary, {{kName, loose ? parenthesised(binary, sign, proposals) : text}},
                     !assigns && is_comparable(binary));
  }
  /// Pointers have + and - alone.
  static bool has_numbers(const BinaryOperator& binary) {
    const QualType left = binary.getLHS()->getType();
    const QualType right = binary.getRHS()->getType();
    if (left->isPointerType() && right->isPointerType()) return false;
    return (may_be_number(left) || left->isPointerType()) &&
           (may_be_number(right) || right->isPointerType());
  }
  static bool is_same(BinaryOperatorKind kind, const Expr& right) {
    if (kind == BO_Mul || kind == BO_Div) return is_literal(right, 1);
    return kind != BO_And && kind != BO_Rem && is_literal(right, 0);
  }
  /// Of another precedence than the sign that takes its place.
  static bool needs_parentheses(const BinaryOperator& binary, BinaryOperatorKind kind) {
    const auto compound = [](const Expr* side) {
      return isa<BinaryOperator, ConditionalOperator>(side->IgnoreImplicit());
    };
    const bool bits = kind == BO_And || kind == BO_Or || kind == BO_Xor;
    return bits && (compound(binary.getLHS()) || compound(binary.getRHS()));
  }
  static std::string parenthesised(const BinaryOperator& binary, const char* sign,
                                   Proposals& proposals) {
    return "(" + text_of(*binary.getLHS(), proposals) + ") " + sign + " (" +
           text_of(*binary.getRHS(), proposals) + ")";
  }
  static void look_at_step(const UnaryOperator& step, const Place& place, Proposals& proposals) {
    if (!may_be_number(step.getType()) && !step.getType()->isPointerType()) return;
    if (is_header_of_loop(step, place)) return;
    const std::string sign = step.isIncrementOp() ? "--" : "++";
    const std::string operand = text_of(*step.getSubExpr(), proposals);
    proposals.choose(step, {{kName, step.isPrefix() ? sign + operand : operand + sign}}, false);
  }
  /// Steps of loops: backwards they only run away.
  static bool is_header_of_loop(const Expr& step, const Place& place) {
    const auto* loop = dyn_cast_or_null<ForStmt>(parent_of(step, place));
    return loop != nullptr && loop->getInc() == &step;
  }
};

} // namespace

std::unique_ptr<Operator> make_arithmetic() { return std::make_unique<Arithmetic>(); }

} // namespace kiln::mutants
