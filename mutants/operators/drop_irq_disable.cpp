// Interrupts that stay on.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"
#include "mutants/operators/guards.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "drop-irq-disable";

class DropIrqDisable : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "interrupts are not turned off, or are on again behind a guard's declaration"}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (!isa<CallExpr>(node) || !calls(node, "irq-save", place) || is_left_alone(node, place)) {
      return;
    }
    const std::string_view state = place.roles.name_of("irq-read");
    if (state.empty()) {
      proposals.unmade(node, kName, "The roles name no function that reads the state (irq-read).");
      return;
    }
    proposals.choose(node, {{std::string(kName), "::" + std::string(state) + "()"}}, false);
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const VarDecl* guard = declared_guard(&node, place);
    if (guard == nullptr || !has_role(guard->getType(), "irq-guard", place)) return;
    const std::string_view restore = place.roles.name_of("irq-restore");
    if (is_left_alone(node, place) || restore.empty()) return;
    proposals.insert_after(node, kName, "::" + std::string(restore) + "(true);");
  }
};

} // namespace

std::unique_ptr<Operator> make_drop_irq_disable() { return std::make_unique<DropIrqDisable>(); }

} // namespace kiln::mutants
