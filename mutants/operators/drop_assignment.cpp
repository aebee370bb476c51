// Something that is not written down.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "drop-assignment";

class DropAssignment : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "an assignment, or a ++ or --, is left out"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (!is_assignment(node)) return;
    const Expr* statement = whole_statement(node, place);
    if (statement != nullptr && !is_left_alone(node, place)) proposals.drop(*statement, kName);
  }

 private:
  static bool is_assignment(const Expr& node) {
    if (const auto* binary = dyn_cast<BinaryOperator>(&node)) return binary->isAssignmentOp();
    if (const auto* unary = dyn_cast<UnaryOperator>(&node)) return unary->isIncrementDecrementOp();
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&node);
    return call != nullptr && (call->isAssignmentOp() || call->getOperator() == OO_PlusPlus ||
                               call->getOperator() == OO_MinusMinus);
  }
};

} // namespace

std::unique_ptr<Operator> make_drop_assignment() { return std::make_unique<DropAssignment>(); }

} // namespace kiln::mutants
