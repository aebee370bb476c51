// Calls that are not made. What the function is for gives the mutant its name.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr Operator::Name kGeneral = {"drop-call", "a call whose value nobody uses is not made"};

struct Special {
  std::string_view role;
  Operator::Name name;
};

constexpr Special kSpecial[] = {
    {"lock", {"drop-lock", "a lock is not taken: a call, or a guard that gets a lock of its own"}},
    {"unlock", {"drop-unlock", "a lock is not let go"}},
    {"irq-restore", {"drop-irq-restore", "the interrupt flag is not put back"}},
    {"barrier", {"drop-barrier", "a memory barrier is left out", false}},
    {"wake", {"drop-wake", "who waits is not woken"}},
    {"reference-get", {"drop-reference", "a reference is not taken, or not given back"}},
    {"reference-put", {"drop-reference", ""}},
    {"timer-cancel", {"drop-timer-cancel", "a timer is not cancelled"}},
    {"flush", {"drop-flush", "a device or cache is not flushed"}},
    {"unmap", {"drop-unmap", "a mapping is not taken away"}},
    {"tlb-flush", {"drop-tlb-flush", "CPUs remember translations that are no longer true"}},
};

class DropCall : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    std::vector<Name> all = {kGeneral};
    for (const Special& special : kSpecial) {
      if (!special.name.text.empty()) all.push_back(special.name);
    }
    return all;
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (!isa<CallExpr>(node) || is_assignment(node)) return; // drop_assignment.cpp has these
    const std::string_view name = name_for(node, place);
    const Expr* statement = whole_statement(node, place);
    if (statement == nullptr && name == kGeneral.name) return;
    if (is_left_alone(node, place)) return;
    if (statement == nullptr) {
      look_at_value(node, name, place, proposals);
    } else if (name != kGeneral.name || !is_pure(node)) {
      proposals.drop(*statement, name);
    }
  }

 private:
  static std::string_view name_for(const Expr& call, const Place& place) {
    for (const Special& special : kSpecial) {
      if (calls(call, special.role, place)) return special.name.name;
    }
    return kGeneral.name;
  }
  /// Not made, and its answer is that of a call that had nothing to do.
  static void look_at_value(const Expr& call, std::string_view name, const Place& place,
                            Proposals& proposals) {
    const QualType type = call.getType();
    if (type->isDependentType() || type->isVoidType()) return;
    const std::string text = other_value(call, name, place, proposals);
    if (text.empty()) {
      proposals.unmade(call, name, "The call's value is used and has no ordinary other value.");
    } else {
      proposals.choose(call, {{std::string(name), text}}, false);
    }
  }
  static std::string other_value(const Expr& call, std::string_view name, const Place& place,
                                 Proposals& proposals) {
    const QualType type = call.getType();
    if (call.isGLValue()) return {};
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (type->isEnumeralType() || (record != nullptr && record->hasDefaultConstructor())) {
      return "decltype(" + text_of(call, proposals) + "){}";
    }
    if (!is_scalar(type)) return {};
    if (type->isPointerType()) return "nullptr";
    if (!type->isBooleanType()) return "0";
    if (name != "drop-lock") return "false";
    const std::string_view state = place.roles.name_of("irq-read");
    return state.empty() ? "true" : "::" + std::string(state) + "()";
  }
};

} // namespace

std::unique_ptr<Operator> make_drop_call() { return std::make_unique<DropCall>(); }

} // namespace kiln::mutants
