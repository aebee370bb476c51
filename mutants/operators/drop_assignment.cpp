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
};

} // namespace

std::unique_ptr<Operator> make_drop_assignment() { return std::make_unique<DropAssignment>(); }

} // namespace kiln::mutants
