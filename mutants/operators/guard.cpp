// Scoped guards whose lock is not taken: they get another one of the same class, that nobody else
// has. (Calls of lock functions are drop_call.cpp's.)

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"
#include "mutants/operators/guards.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "drop-lock";

class Guard : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override { return {}; }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const VarDecl* guard = declared_guard(&node, place);
    if (guard == nullptr || is_left_alone(node, place)) return;
    const Expr* lock = lock_of(*guard);
    if (lock == nullptr) {
      proposals.unmade(node, kName, "The guard is not made of a lock alone.");
      return;
    }
    const std::string_view lock_class = place.roles.name_of("lock-class");
    const std::string made_of = lock_class.empty() ? "" : "<::" + std::string(lock_class) + ">";
    proposals.choose(*lock,
                     {{std::string(kName), "::kiln_mutants::stand_in" + made_of + "(" +
                                               text_of(*lock, proposals) + ")"}},
                     false);
  }
};

} // namespace

const VarDecl* declared_guard(const Stmt* statement, const Place& place) {
  const auto* declaration = dyn_cast_or_null<DeclStmt>(statement);
  if (declaration == nullptr || !declaration->isSingleDecl()) return nullptr;
  const auto* variable = dyn_cast<VarDecl>(declaration->getSingleDecl());
  if (variable == nullptr || variable->getType()->isReferenceType()) return nullptr;
  return has_role(variable->getType(), "guard", place) ? variable : nullptr;
}

const Expr* lock_of(const VarDecl& guard) {
  const Expr* init = guard.getInit();
  if (init == nullptr) return nullptr;
  init = &bare(*init);
  if (const auto* list = dyn_cast<ParenListExpr>(init)) {
    return list->getNumExprs() == 1 ? list->getExpr(0) : nullptr;
  }
  if (const auto* list = dyn_cast<InitListExpr>(init)) {
    return list->getNumInits() == 1 ? list->getInit(0) : nullptr;
  }
  const auto* made = dyn_cast<CXXConstructExpr>(init);
  if (made == nullptr || made->getNumArgs() == 0) return nullptr;
  for (unsigned i = 1; i < made->getNumArgs(); ++i) {
    if (!made->getArg(i)->isDefaultArgument()) return nullptr;
  }
  return made->getArg(0)->IgnoreImpCasts();
}

std::unique_ptr<Operator> make_guard() { return std::make_unique<Guard>(); }

} // namespace kiln::mutants
