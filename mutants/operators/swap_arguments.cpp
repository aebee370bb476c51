// Two arguments of the same type in each other's place.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "swap-arguments";

class SwapArguments : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "two arguments of the same type change places"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (isa<CXXOperatorCallExpr, UserDefinedLiteral>(node)) return;
    if (const auto* call = dyn_cast<CallExpr>(&node)) {
      if (is_left_alone(node, place) || is_symmetric(*call, place)) return;
      const bool pair = calls(*call, "symmetric-pair", place);
      propose(node, {call->getArgs(), call->getNumArgs()}, pair, place, proposals);
    } else if (const auto* made = dyn_cast<CXXTemporaryObjectExpr>(&node)) {
      if (is_left_alone(node, place)) return;
      propose(node, {made->getArgs(), made->getNumArgs()}, false, place, proposals);
    }
  }

 private:
  static bool is_symmetric(const CallExpr& call, const Place& place) {
    constexpr const char* kRoles[] = {"symmetric", "checked-add", "checked-mul", "wrapping-add",
                                      "wrapping-mul"};
    for (const char* role : kRoles) {
      if (calls(call, role, place)) return true;
    }
    return false;
  }
  static void propose(const Expr& node, llvm::ArrayRef<const Expr*> all, bool symmetric_pair,
                      const Place& place, Proposals& proposals) {
    std::vector<const Expr*> written;
    for (const Expr* argument : all) {
      if (!argument->isDefaultArgument()) written.push_back(argument);
    }
    std::vector<Variant> variants;
    for (size_t i = 0; i < written.size(); ++i) {
      for (size_t j = i + 1; j < written.size(); ++j) {
        if (symmetric_pair && j == 1) continue;
        if (!can_swap(*written[i], *written[j], proposals)) continue;
        std::string text = swapped(node, *written[i], *written[j], place, proposals);
        if (!text.empty()) variants.push_back({kName, std::move(text)});
      }
    }
    if (variants.empty()) return;
    if (!node.getType()->isVoidType()) {
      proposals.choose(node, std::move(variants), is_comparable(node));
    } else if (const Expr* statement = whole_statement(node, place)) {
      for (const Variant& variant : variants) {
        proposals.replace(*statement, kName, variant.text + ";");
      }
    }
  }
  /// Of one type as they are passed, and as they are written.
  static bool can_swap(const Expr& a, const Expr& b, Proposals& proposals) {
    const auto type = [](const Expr& e) {
      return e.getType().getCanonicalType().getUnqualifiedType();
    };
    if (is_memory_order(a.getType())) return false; // weaken-order's
    if (a.isTypeDependent() || b.isTypeDependent() || type(a) != type(b)) return false;
    if (type(*a.IgnoreParenImpCasts())->isBooleanType() !=
        type(*b.IgnoreParenImpCasts())->isBooleanType()) {
      return false;
    }
    return !isa<LambdaExpr>(bare(a)) && text_of(a, proposals) != text_of(b, proposals);
  }
  /// The call's text with two pieces of it exchanged; empty when they come from another place.
  static std::string swapped(const Expr& call, const Expr& a, const Expr& b, const Place& place,
                             Proposals& proposals) {
    const std::string whole = proposals.source_text(call);
    const std::string first = proposals.source_text(a);
    const std::string second = proposals.source_text(b);
    const size_t at = text_between(call.getBeginLoc(), a.getBeginLoc(), place).size();
    const size_t then = text_between(call.getBeginLoc(), b.getBeginLoc(), place).size();
    if (at == 0 || then < at + first.size()) return {};
    if (whole.compare(at, first.size(), first) != 0) return {};
    if (whole.compare(then, second.size(), second) != 0) return {};
    return on_one_line(whole.substr(0, at) + second +
                       whole.substr(at + first.size(), then - at - first.size()) + first +
                       whole.substr(then + second.size()));
  }
};

} // namespace

std::unique_ptr<Operator> make_swap_arguments() { return std::make_unique<SwapArguments>(); }

} // namespace kiln::mutants
