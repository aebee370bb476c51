// Comparisons: bounds one step off, equal for not equal.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kBoundary = "boundary";
constexpr const char* kEqual = "equal";

class Comparison : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kBoundary, "< and <= (> and >=) change places; of numbers, the bound moves one step "
                        "the other way, too"},
            {kEqual, "== becomes != and the other way round"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (const auto* binary = dyn_cast<BinaryOperator>(&node)) {
      if (!binary->isComparisonOp() || binary->getOpcode() == BO_Cmp) return;
      if (is_left_alone(node, place)) return;
      std::vector<Variant> variants =
          binary->isEqualityOp() ? equality(*binary, proposals) : bounds(*binary, place, proposals);
      proposals.choose(node, std::move(variants), is_comparable(node));
    } else if (is_equality_of_classes(node) && !is_left_alone(node, place)) {
      const std::string text = "!(" + text_of(node, proposals) + ")";
      proposals.choose(node, {{kEqual, text}}, is_comparable(node));
    }
  }

 private:
  static bool is_equality_of_classes(const Expr& node) {
    const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(&node);
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&node);
    if (rewritten == nullptr && call == nullptr) return false;
    if (!node.getType()->isBooleanType() && !node.isTypeDependent()) return false;
    if (rewritten != nullptr) return BinaryOperator::isEqualityOp(rewritten->getOperator());
    return call->getOperator() == OO_EqualEqual || call->getOperator() == OO_ExclaimEqual;
  }
  static std::vector<Variant> equality(const BinaryOperator& binary, Proposals& proposals) {
    return {{kEqual, text_of(*binary.getLHS(), proposals) +
                         (binary.getOpcode() == BO_EQ ? " != " : " == ") +
                         text_of(*binary.getRHS(), proposals)}};
  }
  static std::vector<Variant> bounds(const BinaryOperator& binary, const Place& place,
                                     Proposals& proposals) {
    const std::string left = text_of(*binary.getLHS(), proposals);
    const std::string right = text_of(*binary.getRHS(), proposals);
    const bool less = binary.getOpcode() == BO_LT || binary.getOpcode() == BO_LE;
    const bool strict = binary.getOpcode() == BO_LT || binary.getOpcode() == BO_GT;
    const std::string sign = less ? "<" : ">";
    std::vector<Variant> variants;
    if (!chooses_between(left, right, binary, place, proposals)) {
      variants.push_back({kBoundary, left + " " + sign + (strict ? "= " : " ") + right});
    }
    const QualType type = binary.getLHS()->getType();
    if (!type->isDependentType() && type->isIntegerType() && !type->isBooleanType() &&
        is_pure(binary)) {
      // The other step: where it is looked at, one side is known to be larger.
      const bool left_larger = less != strict;
      const std::string distance =
          left_larger ? one_above(left, strict, right, type) : one_above(right, strict, left, type);
      variants.push_back(
          {kBoundary, text_of(binary, proposals) + (strict ? " && " : " || ") + distance});
    }
    return variants;
  }
  /// Whether the larger one is (or is not) one above the smaller, in terms that do not overflow.
  static std::string one_above(const std::string& larger, bool is_not, const std::string& smaller,
                               QualType type) {
    const std::string sign = is_not ? " != " : " == ";
    if (type->isUnsignedIntegerType()) return "(" + larger + ") - (" + smaller + ")" + sign + "1";
    // Of the type in which they are compared, which `larger` alone may not have.
    const std::string one = type->isSpecificBuiltinType(BuiltinType::LongLong) ? "1LL"
                            : type->isSpecificBuiltinType(BuiltinType::Long)   ? "1L"
                                                                               : "1";
    return "(" + smaller + ")" + sign + "(" + larger + ") - " + one;
  }
  /// a < b ? a : b: when they are equal it does not matter which.
  static bool chooses_between(const std::string& left, const std::string& right,
                              const BinaryOperator& binary, const Place& place,
                              Proposals& proposals) {
    const auto* choice = dyn_cast_or_null<ConditionalOperator>(parent_of(binary, place));
    if (choice == nullptr || choice->getCond() != &binary) return false;
    const std::string first = text_of(*choice->getTrueExpr(), proposals);
    const std::string second = text_of(*choice->getFalseExpr(), proposals);
    return (first == left && second == right) || (first == right && second == left);
  }
};

} // namespace

std::unique_ptr<Operator> make_comparison() { return std::make_unique<Comparison>(); }

} // namespace kiln::mutants
