// Literals: one more, one less, none; true for false.

#include <llvm/ADT/StringExtras.h>

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "constant";

class Constant : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a literal is one more, one less, or 0; true becomes false"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (const auto* flag = dyn_cast<CXXBoolLiteralExpr>(&node)) {
      look_at_flag(*flag, place, proposals);
    } else if (const auto* number = dyn_cast<IntegerLiteral>(&node)) {
      if (!is_left_alone(node, place)) look_at_number(*number, place, proposals);
    }
  }

 private:
  /// Returned ones are `negate`'s; those of loops are the loops' own.
  static void look_at_flag(const CXXBoolLiteralExpr& flag, const Place& place,
                           Proposals& proposals) {
    const Stmt* parent = parent_of(flag, place);
    if (isa_and_nonnull<ReturnStmt, WhileStmt, DoStmt, ForStmt>(parent)) return;
    if (!is_left_alone(flag, place)) {
      proposals.choose(flag, {{kName, flag.getValue() ? "false" : "true"}}, true);
    }
  }
  static void look_at_number(const IntegerLiteral& number, const Place& place,
                             Proposals& proposals) {
    const Stmt* parent = parent_of(number, place);
    QualType type = number.getType();
    while (const auto* cast = dyn_cast_or_null<ImplicitCastExpr>(parent)) {
      if (!cast->getType()->isIntegerType()) return; // a flag, or a null pointer
      if (place.context.getTypeSize(cast->getType()) < place.context.getTypeSize(type)) {
        type = cast->getType();
      }
      parent = parent_of(*cast, place);
    }
    const uint64_t value = number.getValue().getZExtValue();
    if (is_mere_type(parent, value, place) || is_bound(parent)) return;
    std::vector<Variant> variants;
    const auto add = [&](uint64_t other) {
      variants.push_back({kName, written_as(other, text_of(number, proposals))});
    };
    if (value < largest(type, place)) add(value + 1);
    if (value > 0 && !(value == 1 && is_divisor(parent, number))) add(value - 1);
    if (value > 1 && !is_divisor(parent, number)) add(0);
    proposals.choose(number, std::move(variants), true);
  }
  /// static_cast<T>(0), T{1}: a way to write a number of that type.
  static bool is_mere_type(const Stmt* parent, uint64_t value, const Place& place) {
    const auto* list = dyn_cast_or_null<InitListExpr>(parent);
    if (list != nullptr && list->getNumInits() == 1) parent = parent_of(*list, place);
    return value <= 1 && isa_and_nonnull<ExplicitCastExpr, CXXUnresolvedConstructExpr>(parent);
  }
  /// Moving a bound is `boundary`'s.
  static bool is_bound(const Stmt* parent) {
    const auto* binary = dyn_cast_or_null<BinaryOperator>(parent);
    return binary != nullptr && binary->isRelationalOp();
  }
  static bool is_divisor(const Stmt* parent, const IntegerLiteral& number) {
    const auto* binary = dyn_cast_or_null<BinaryOperator>(parent);
    if (binary == nullptr || binary->getRHS()->IgnoreParenImpCasts() != &number) return false;
    const BinaryOperatorKind kind = binary->getOpcode();
    return kind == BO_Div || kind == BO_Rem || kind == BO_DivAssign || kind == BO_RemAssign;
  }
  static uint64_t largest(QualType type, const Place& place) {
    const uint64_t bits = place.context.getTypeSize(type) - (type->isSignedIntegerType() ? 1 : 0);
    return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  }
  /// In the base and with the suffix of the original.
  static std::string written_as(uint64_t value, const std::string& original) {
    const bool hex = original.starts_with("0x") || original.starts_with("0X");
    const std::string_view digits = hex ? "0123456789abcdefABCDEFxX'" : "0123456789'bB";
    const size_t end = original.find_first_not_of(digits);
    const std::string suffix = end == std::string::npos ? "" : original.substr(end);
    if (value == 0) return "0" + suffix;
    return (hex ? "0x" + llvm::utohexstr(value) : std::to_string(value)) + suffix;
  }
};

} // namespace

std::unique_ptr<Operator> make_constant() { return std::make_unique<Constant>(); }

} // namespace kiln::mutants
