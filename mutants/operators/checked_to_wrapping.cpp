// Arithmetic that no longer looks whether its result fits.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "checked-to-wrapping";
constexpr std::string_view kOperations[] = {"add", "sub", "mul", "shl", "cast"};

class CheckedToWrapping : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override { return {{kName, "checked arithmetic wraps round"}}; }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    const auto* call = dyn_cast<CallExpr>(&node);
    if (call == nullptr) return;
    for (const std::string_view operation : kOperations) {
      if (!calls(node, "checked-" + std::string(operation), place)) continue;
      if (is_left_alone(node, place)) return;
      propose(*call, place.roles.name_of("wrapping-" + std::string(operation)), place, proposals);
      return;
    }
  }

 private:
  static void propose(const CallExpr& call, std::string_view twin, const Place& place,
                      Proposals& proposals) {
    if (twin.empty()) {
      proposals.unmade(call, kName, "The roles name no function that does the same and wraps.");
      return;
    }
    const std::string text = text_of(call, proposals);
    proposals.choose(
        call,
        {{kName, "decltype(" + text + ")(::" + std::string(twin) + behind_name(call, place) + ")"}},
        false);
  }
  /// Explicit template arguments and arguments of the call.
  static std::string behind_name(const CallExpr& call, const Place& place) {
    const auto* callee = dyn_cast<DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    SourceLocation from;
    if (callee != nullptr) {
      from = callee->hasExplicitTemplateArgs() ? callee->getLAngleLoc()
                                               : callee->getNameInfo().getEndLoc();
    } else if (const auto* set = dyn_cast<OverloadExpr>(call.getCallee()->IgnoreParenImpCasts())) {
      from = set->hasExplicitTemplateArgs() ? set->getLAngleLoc() : set->getNameLoc();
    }
    std::string text = text_between(from, call.getRParenLoc(), place) + ")";
    const size_t name_end = text.find_first_of("<(");
    return name_end == std::string::npos ? text : on_one_line(text.substr(name_end));
  }
};

} // namespace

std::unique_ptr<Operator> make_checked_to_wrapping() {
  return std::make_unique<CheckedToWrapping>();
}

} // namespace kiln::mutants
