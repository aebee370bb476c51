// A generator that makes the ordinary choice, always. It still draws, so that the rest of the tape
// stays in step.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "clamp-draw";

class ClampDraw : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a choice of the harness is drawn, and the ordinary one made", true, true}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    const auto* call = dyn_cast<CallExpr>(&node);
    if (call == nullptr || !calls(node, "draw", place) || is_left_alone(node, place)) return;
    if (node.getType()->isVoidType()) {
      clamp_bytes(*call, place, proposals);
      return;
    }
    const std::string value = ordinary(*call, place, proposals);
    if (value.empty()) {
      proposals.unmade(node, kName, "The draw has no ordinary value that can be written here.");
      return;
    }
    proposals.choose(node, {{kName, evaluated_then(node, value, proposals)}}, false);
  }

 private:
  static std::string ordinary(const CallExpr& call, const Place& place, Proposals& proposals) {
    const FunctionDecl* callee = callee_of(call);
    const std::string name = callee == nullptr ? "" : callee->getNameAsString();
    if (name == "pick" && call.getNumArgs() == 1) {
      const Expr& list = *call.getArg(0);
      return list.isGLValue() ? "*std::begin(" + text_of(list, proposals) + ")" : "";
    }
    const QualType type = call.getType();
    if (!is_scalar(type) || type->isPointerType()) return {};
    if (type->isBooleanType()) return "false";
    const std::string zero =
        name == "between" && call.getNumArgs() == 2 ? text_of(*call.getArg(0), proposals) : "0";
    const std::string written =
        type.getUnqualifiedType().getAsString(place.context.getPrintingPolicy());
    return "static_cast<" + written + ">(" + zero + ")";
  }
  /// Many bytes are all 0.
  static void clamp_bytes(const CallExpr& call, const Place& place, Proposals& proposals) {
    const Expr* statement = whole_statement(call, place);
    if (statement == nullptr || call.getNumArgs() != 1) return;
    proposals.replace(*statement, kName,
                      "{ " + text_of(*statement, proposals) + "; for (auto& kiln_byte : " +
                          text_of(*call.getArg(0), proposals) + ") kiln_byte = 0; }");
  }
};

} // namespace

std::unique_ptr<Operator> make_clamp_draw() { return std::make_unique<ClampDraw>(); }

} // namespace kiln::mutants
