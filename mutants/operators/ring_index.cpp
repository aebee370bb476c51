// Positions in rings that wrap one too early or too late.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "ring-index";

class RingIndex : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "an index that wraps by % or & does so one too early or too late"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    const auto* binary = dyn_cast<BinaryOperator>(&node);
    if (binary == nullptr) return;
    if (binary->getOpcode() != BO_Rem && binary->getOpcode() != BO_And) return;
    const Expr& size = *binary->getRHS();
    if (isa<IntegerLiteral>(size.IgnoreParenImpCasts())) return; // `constant` has it
    if (!is_index(node, place) || is_left_alone(node, place)) return;
    const std::string front = text_of(*binary->getLHS(), proposals) + " " +
                              binary->getOpcodeStr().str() + " ((" + text_of(size, proposals);
    proposals.choose(node, {{kName, front + ") - 1)"}, {kName, front + ") + 1)"}},
                     is_comparable(node));
  }

 private:
  static bool is_index(const Expr& node, const Place& place) {
    const Stmt* child = &node;
    const Stmt* parent = parent_of(node, place);
    while (isa_and_nonnull<CastExpr, ParenExpr>(parent)) {
      child = parent;
      parent = parent_of(*parent, place);
    }
    if (const auto* element = dyn_cast_or_null<ArraySubscriptExpr>(parent)) {
      return element->getRHS() == child;
    }
    const auto* element = dyn_cast_or_null<CXXOperatorCallExpr>(parent);
    return element != nullptr && element->getOperator() == OO_Subscript;
  }
};

} // namespace

std::unique_ptr<Operator> make_ring_index() { return std::make_unique<RingIndex>(); }

} // namespace kiln::mutants
