// A harness that does not look.

#include <clang/Lex/Lexer.h>

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "drop-oracle";

class DropOracle : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a check of the harness is made and finds nothing wrong", true, true}};
  }
  /// if (!(condition)) of a checking macro: the condition is its argument.
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const auto* branch = dyn_cast<IfStmt>(&node);
    if (branch == nullptr || !is_of_oracle(branch->getIfLoc(), place)) return;
    const auto* negation = dyn_cast<UnaryOperator>(branch->getCond()->IgnoreParenImpCasts());
    if (negation == nullptr || negation->getOpcode() != UO_LNot) return;
    const Expr* condition = negation->getSubExpr();
    while (const auto* parentheses = dyn_cast<ParenExpr>(condition->IgnoreImplicit())) {
      condition = parentheses->getSubExpr();
    }
    if (is_left_alone(*condition, place)) return;
    proposals.choose(*condition,
                     {{std::string(kName), evaluated_then(*condition, "true", proposals)}},
                     is_comparable(*condition));
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    if (!isa<CallExpr>(node) || !calls(node, "oracle", place) || is_left_alone(node, place)) return;
    if (const Expr* statement = whole_statement(node, place)) {
      proposals.drop(*statement, kName);
    } else if (node.getType()->isBooleanType()) {
      proposals.choose(node, {{std::string(kName), evaluated_then(node, "true", proposals)}},
                       false);
    }
  }

 private:
  static bool is_of_oracle(SourceLocation at, const Place& place) {
    if (!at.isMacroID()) return false;
    const StringRef macro = Lexer::getImmediateMacroName(at, place.context.getSourceManager(),
                                                         place.context.getLangOpts());
    return place.roles.has("oracle", macro.str());
  }
};

} // namespace

std::unique_ptr<Operator> make_drop_oracle() { return std::make_unique<DropOracle>(); }

} // namespace kiln::mutants
