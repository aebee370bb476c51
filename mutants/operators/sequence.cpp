// Two neighbouring steps in the other order, where the order is the point.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kPublish = "publish-first";
constexpr std::string_view kWake = "wake-first";
constexpr std::string_view kWrites = "reorder-writes";

class Sequence : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kPublish, "what tells others that something is ready comes before it is"},
            {kWake, "a wake-up comes before what it tells of"},
            {kWrites, "two writes to a device change places"}};
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    for_neighbours(node, [&](const Stmt& first, const Stmt& second) {
      look_at_pair(first, second, place, proposals);
    });
  }

 private:
  static void look_at_pair(const Stmt& first, const Stmt& second, const Place& place,
                           Proposals& proposals) {
    if (!isa<Expr>(first) || is_left_alone(first, place) || is_left_alone(second, place)) return;
    if (calls(&first, "lock", place) || calls(&first, "unlock", place)) return;
    if (wakes(&second, place)) {
      if (!wakes(&first, place)) proposals.swap(first, second, kWake);
    } else if (publishes(second, place)) {
      if (!publishes(first, place)) proposals.swap(first, second, kPublish);
    } else if (calls(&first, "device-write", place) && calls(&second, "device-write", place)) {
      proposals.swap(first, second, kWrites);
    }
  }
  /// A variable or member; null for anything else.
  static const NamedDecl* named(const Expr& expression) {
    const Expr& inner = bare(expression);
    if (const auto* member = dyn_cast<MemberExpr>(&inner)) return member->getMemberDecl();
    const auto* variable = dyn_cast<DeclRefExpr>(&inner);
    return variable == nullptr ? nullptr : variable->getDecl();
  }
  /// The call, or an `if` about nothing else.
  static bool wakes(const Stmt* statement, const Place& place) {
    if (const auto* branch = dyn_cast_or_null<IfStmt>(statement)) {
      const auto* block = dyn_cast<CompoundStmt>(branch->getThen());
      const bool alone = block == nullptr || block->size() == 1;
      return alone && branch->getElse() == nullptr && wakes(last_of(branch->getThen()), place);
    }
    return calls(statement, "wake", place);
  }
  static bool publishes(const Stmt& statement, const Place& place) {
    if (calls(&statement, "publish", place)) return true;
    const auto* expression = dyn_cast<Expr>(&statement);
    if (expression == nullptr) return false;
    const Expr& inner = bare(*expression);
    if (const auto* assignment = dyn_cast<BinaryOperator>(&inner)) {
      const NamedDecl* written = named(*assignment->getLHS());
      return assignment->getOpcode() == BO_Assign && written != nullptr &&
             place.roles.has("publish", qualified_name(*written));
    }
    const FunctionDecl* callee = callee_of(inner);
    if (callee == nullptr || callee->getNameAsString() != "store") return false;
    return contains(&inner, [](const Stmt& node) {
      const auto* order = dyn_cast<DeclRefExpr>(&node);
      if (order == nullptr) return false;
      const std::string name = order->getDecl()->getNameAsString();
      return name.ends_with("release") || name.ends_with("seq_cst");
    });
  }
};

} // namespace

std::unique_ptr<Operator> make_sequence() { return std::make_unique<Sequence>(); }

} // namespace kiln::mutants
