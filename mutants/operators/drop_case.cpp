// A case of a switch that does nothing.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "drop-case";

class DropCase : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override { return {{kName, "a case of a switch does nothing"}}; }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const auto* label = dyn_cast<SwitchCase>(&node);
    if (label == nullptr || label->getSubStmt() == nullptr) return;
    const Stmt& first = *label->getSubStmt();
    if (isa<SwitchCase, BreakStmt, DeclStmt, NullStmt>(first) || is_left_alone(first, place))
      return;
    const auto* block = dyn_cast<CompoundStmt>(&first);
    if (block != nullptr && isa_and_nonnull<BreakStmt>(first_of(block))) return;
    proposals.insert_before(first, kName, "break;");
  }
};

} // namespace

std::unique_ptr<Operator> make_drop_case() { return std::make_unique<DropCase>(); }

} // namespace kiln::mutants
