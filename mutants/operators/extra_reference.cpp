// A reference taken, or given back, once too often.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "extra-reference";

class ExtraReference : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a reference is taken, or given back, twice"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    const auto* call = dyn_cast<CallExpr>(&node);
    if (call == nullptr) return;
    if (!calls(node, "reference-get", place) && !calls(node, "reference-put", place)) return;
    const Expr* statement = whole_statement(node, place);
    if (statement == nullptr || is_left_alone(node, place)) return;
    const std::string text = text_of(*statement, proposals);
    proposals.replace(*statement, kName, "{ " + text + "; " + text + "; }");
  }
};

} // namespace

std::unique_ptr<Operator> make_extra_reference() { return std::make_unique<ExtraReference>(); }

} // namespace kiln::mutants
