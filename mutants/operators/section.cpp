// Critical sections with other ends, and locks taken in another order.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"
#include "mutants/operators/guards.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kSwap = "swap-acquisitions";
constexpr std::string_view kShrink = "shrink-section";
constexpr std::string_view kWiden = "widen-section";

class Section : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kSwap, "two locks are taken in the other order"},
            {kShrink, "a lock is taken one statement later, or let go one earlier"},
            {kWiden, "a lock is let go one statement later"}};
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const Stmt* last = last_of(&node);
    for_neighbours(node, [&](const Stmt& first, const Stmt& second) {
      look_at_pair(first, second, place, proposals);
      look_at_guard(first, second, *last, place, proposals);
    });
  }

 private:
  static bool can_move(const Stmt& statement, const Place& place) {
    return !isa<DeclStmt, NullStmt, SwitchCase>(statement) && !leaves(&statement) &&
           !is_left_alone(statement, place);
  }
  static void look_at_pair(const Stmt& first, const Stmt& second, const Place& place,
                           Proposals& proposals) {
    if (declared_guard(&first, place) != nullptr && declared_guard(&second, place) != nullptr) {
      proposals.unmade(second, kSwap, "Declarations of guards cannot change places.");
    }
    if (!can_move(first, place) || !can_move(second, place)) return;
    const bool first_locks = calls(&first, "lock", place);
    const bool first_unlocks = calls(&first, "unlock", place);
    const bool second_locks = calls(&second, "lock", place);
    const bool second_unlocks = calls(&second, "unlock", place);
    if (first_locks && second_locks) {
      proposals.swap(first, second, kSwap);
    } else if (first_locks && !second_unlocks) {
      proposals.swap(first, second, kShrink);
    } else if (second_unlocks && !first_locks && !first_unlocks) {
      proposals.swap(first, second, kShrink);
    } else if (first_unlocks && !second_locks && !second_unlocks) {
      proposals.swap(first, second, kWiden);
    }
  }
  /// The statement behind the guard runs without the lock, and so does the last one of the block.
  static void look_at_guard(const Stmt& statement, const Stmt& next, const Stmt& last,
                            const Place& place, Proposals& proposals) {
    const VarDecl* guard = declared_guard(&statement, place);
    if (guard == nullptr || is_left_alone(statement, place)) return;
    if (!has_role(guard->getType(), "relockable-guard", place)) {
      proposals.unmade(statement, kShrink, "The guard lets go only where its scope ends.");
      return;
    }
    const std::string name = guard->getNameAsString();
    if (&next != &last && can_move(next, place) && !mentions(next, *guard)) {
      // The text of `if (a) b();` has no semicolon either.
      proposals.replace(next, kShrink,
                        "{ " + name + ".unlock(); " + text_of(next, proposals) + "; " + name +
                            ".lock(); }");
    }
    if (!isa<DeclStmt>(last) && !is_left_alone(last, place) && !mentions(last, *guard) &&
        !returns_own(last)) {
      proposals.insert_before(last, kShrink, name + ".unlock();");
    }
  }
  /// A return of nothing but constants and the function's own variables, which no lock protects.
  static bool returns_own(const Stmt& statement) {
    const auto* back = dyn_cast<ReturnStmt>(&statement);
    if (back == nullptr) return false;
    return !contains(back->getRetValue(), [](const Stmt& node) {
      if (const auto* name = dyn_cast<DeclRefExpr>(&node)) {
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        return variable != nullptr &&
               (!variable->hasLocalStorage() || variable->getType()->isReferenceType());
      }
      if (const auto* unary = dyn_cast<UnaryOperator>(&node)) return unary->getOpcode() == UO_Deref;
      const auto* made = dyn_cast<CXXConstructExpr>(&node);
      const bool moves = made != nullptr && made->getConstructor()->isCopyOrMoveConstructor();
      return isa<CallExpr, MemberExpr, ArraySubscriptExpr, LambdaExpr, CXXThisExpr>(node) || moves;
    });
  }
  static bool mentions(const Stmt& statement, const VarDecl& guard) {
    return contains(&statement, [&](const Stmt& node) {
      const auto* name = dyn_cast<DeclRefExpr>(&node);
      return name != nullptr && name->getDecl() == &guard;
    });
  }
};

} // namespace

std::unique_ptr<Operator> make_section() { return std::make_unique<Section>(); }

} // namespace kiln::mutants
