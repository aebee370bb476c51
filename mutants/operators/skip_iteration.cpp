// Loops that leave out their first turn, or all but that.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "skip-iteration";

class SkipIteration : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a counting loop leaves out its first turn, or ends after it"}};
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const Stmt* body = counts(node) ? loop_body(node) : nullptr;
    if (body == nullptr || last_of(body) == nullptr || is_left_alone(node, place)) return;
    if (!leaves(last_of(body))) proposals.insert_after(*last_of(body), kName, "break;");
    skip_first(node, *body, place, proposals);
  }

 private:
  static bool counts(const Stmt& node) {
    const auto* loop = dyn_cast<ForStmt>(&node);
    return loop == nullptr ? isa<CXXForRangeStmt>(node) : loop->getCond() != nullptr;
  }
  /// The loop once more, with a variable that knows the first turn.
  static void skip_first(const Stmt& loop, const Stmt& body, const Place& place,
                         Proposals& proposals) {
    if (const auto* counting = dyn_cast<ForStmt>(&loop); counting != nullptr) {
      if (counting->getInc() == nullptr || begins_with_literal(*counting)) return;
    }
    const std::string head = text_between(loop.getBeginLoc(), body.getBeginLoc(), place);
    if (head.empty()) return;
    const std::string inner = text_of(body, proposals) + (isa<CompoundStmt>(body) ? "" : ";");
    proposals.replace(loop, kName,
                      "{ bool kiln_first = true; " + on_one_line(head) +
                          " { if (kiln_first) { kiln_first = false; continue; } " + inner + " } }");
  }
  /// One more than the first number is `constant`'s.
  static bool begins_with_literal(const ForStmt& loop) {
    const auto* declared = dyn_cast_or_null<DeclStmt>(loop.getInit());
    if (declared == nullptr || !declared->isSingleDecl()) return false;
    const auto* variable = dyn_cast<VarDecl>(declared->getSingleDecl());
    return variable != nullptr && variable->getInit() != nullptr &&
           isa<IntegerLiteral>(variable->getInit()->IgnoreParenImpCasts());
  }
};

} // namespace

std::unique_ptr<Operator> make_skip_iteration() { return std::make_unique<SkipIteration>(); }

} // namespace kiln::mutants
