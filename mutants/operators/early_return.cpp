// A function that does nothing and says that all is well.

#include <algorithm>

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "early-return";

class EarlyReturn : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a function returns at once: nothing, 0, false, true, or a default value"}};
  }
  void look_at(const FunctionDecl& function, const Place& place, Proposals& proposals) override {
    const auto* body = dyn_cast_or_null<CompoundStmt>(function.getBody());
    if (body == nullptr || function.isNoReturn()) return;
    const auto* found = std::find_if(body->body_begin(), body->body_end(),
                                     [&](const Stmt* at) { return !is_left_alone(*at, place); });
    if (found == body->body_end()) return;
    const Stmt& first = **found;
    for (const std::string& value : values(function, place)) {
      if (returned(first, proposals) != value) {
        proposals.insert_before(first, kName, "return" + value + ";");
      }
    }
  }

 private:
  /// What the function returns when it returns in its first statement.
  static std::string returned(const Stmt& first, Proposals& proposals) {
    const auto* back = dyn_cast<ReturnStmt>(&first);
    if (back == nullptr || back->getRetValue() == nullptr) return "?";
    return " " + text_of(*back->getRetValue(), proposals);
  }
  static std::vector<std::string> values(const FunctionDecl& function, const Place& place) {
    QualType type = function.getReturnType();
    if (type->getContainedDeducedType() != nullptr) type = type.getCanonicalType();
    if (isa<CXXConstructorDecl, CXXDestructorDecl>(function) || type->isVoidType()) return {""};
    if (type->isUndeducedType() || type->isDependentType() || type->isReferenceType()) return {};
    if (type->isBooleanType()) return {" false", " true"};
    if (type->isPointerType()) return {" nullptr"};
    if (type->isIntegerType() && !type->isEnumeralType()) return {" 0"};
    if (const auto* record = type->getAsCXXRecordDecl(); record != nullptr) {
      return {of_class(*record, type, place)};
    }
    return {" {}"};
  }
  /// Results without a default hold a default value: they name its type.
  static std::string of_class(const CXXRecordDecl& record, QualType type, const Place& place) {
    const CXXRecordDecl* definition = record.getDefinition();
    if (definition == nullptr || definition->hasDefaultConstructor()) return " {}";
    for (const Decl* member : definition->decls()) {
      const auto* alias = dyn_cast<TypedefNameDecl>(member);
      if (alias == nullptr || alias->getName() != "Value") continue;
      const std::string name =
          type.getUnqualifiedType().getAsString(place.context.getPrintingPolicy());
      return " " + name + "::Value{}";
    }
    return " {}";
  }
};

} // namespace

std::unique_ptr<Operator> make_early_return() { return std::make_unique<EarlyReturn>(); }

} // namespace kiln::mutants
