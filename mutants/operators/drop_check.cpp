// A check that is made and whose answer is not heeded: the classic bug of code that reads what
// others wrote.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "drop-check";

class DropCheck : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a check that leads out of a block, or a part of a condition, is made and its "
                    "answer not heeded"}};
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const auto* branch = dyn_cast<IfStmt>(&node);
    if (branch == nullptr || branch->isConstexpr() || branch->isConsteval()) return;
    if (is_left_alone(node, place) || !leaves(last_of(branch->getThen()))) return;
    if (const VarDecl* variable = branch->getConditionVariable()) {
      const std::string check = "static_cast<bool>(" + variable->getNameAsString() + ")";
      propose_condition(*branch, "(static_cast<void>(" + check + "), false)", kName, place,
                        proposals);
    } else {
      propose(*branch->getCond(), "false", place, proposals);
    }
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (const auto* binary = dyn_cast<BinaryOperator>(&node)) {
      if (!binary->isLogicalOp() || is_left_alone(node, place)) return;
      const std::string_view neutral = binary->getOpcode() == BO_LAnd ? "true" : "false";
      propose_part(*binary->getLHS(), binary->getOpcode(), neutral, place, proposals);
      propose_part(*binary->getRHS(), binary->getOpcode(), neutral, place, proposals);
    } else if (const auto* tried = dyn_cast<StmtExpr>(&node)) {
      look_at_try(*tried, place, proposals);
    }
  }

 private:
  /// What the machine is told, and may answer: only under test is there another answer.
  static bool is_answer_of_annotation(const Expr& check, const Place& place) {
    const Expr* asked = check.IgnoreParenImpCasts();
    if (const auto* negated = dyn_cast<UnaryOperator>(asked);
        negated != nullptr && negated->getOpcode() == UO_LNot) {
      asked = negated->getSubExpr()->IgnoreParenImpCasts();
    }
    return calls(*asked, "annotation", place);
  }
  static void propose(const Expr& check, std::string_view neutral, const Place& place,
                      Proposals& proposals) {
    if (isa<CXXBoolLiteralExpr>(check.IgnoreParenImpCasts())) return;
    if (is_answer_of_annotation(check, place)) return;
    proposals.choose(check, {{std::string(kName), evaluated_then(check, neutral, proposals)}},
                     is_comparable(check));
  }
  /// Of `a && b && c` the parts are a, b and c; the tree has (a && b) too.
  static void propose_part(const Expr& part, BinaryOperatorKind of, std::string_view neutral,
                           const Place& place, Proposals& proposals) {
    const auto* inner = dyn_cast<BinaryOperator>(part.IgnoreImplicit());
    if (inner == nullptr || inner->getOpcode() != of) propose(part, neutral, place, proposals);
  }
  /// A macro that returns the error of its argument: without, there is a default value.
  static void look_at_try(const StmtExpr& tried, const Place& place, Proposals& proposals) {
    const std::string text = text_of(tried, proposals);
    const size_t open = text.find('(');
    if (open == std::string::npos || text.back() != ')') return;
    const size_t end = text.find_last_not_of(' ', open - 1);
    if (!place.roles.has("try", text.substr(0, end + 1))) return;
    const std::string argument = text.substr(open, std::string::npos);
    if (tried.getType()->isVoidType()) {
      const Expr* statement = whole_statement(tried, place);
      if (statement == nullptr) {
        proposals.unmade(tried, kName, "The macro has no value, and is no statement.");
      } else {
        proposals.replace(*statement, kName, "static_cast<void>" + argument + ";");
      }
      return;
    }
    const std::string value = argument + ".value_or(::kiln_mutants::Zero())";
    proposals.choose(tried, {{std::string(kName), value}}, false);
  }
};

} // namespace

std::unique_ptr<Operator> make_drop_check() { return std::make_unique<DropCheck>(); }

} // namespace kiln::mutants
