// A wait whose end is taken for the end of what was waited for.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr std::string_view kName = "skip-recheck";

/// In this loop, not in one inside.
bool waits(const Stmt* node, const Place& place) {
  if (node == nullptr || isa<LambdaExpr>(node) || loop_body(*node) != nullptr) return false;
  if (isa<CallExpr>(node) && calls(node, "wait", place)) return true;
  for (const Stmt* child : node->children()) {
    if (waits(child, place)) return true;
  }
  return false;
}

class SkipRecheck : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a loop around a wait does not look again: it ends after the first turn"}};
  }
  void look_at(const Stmt& node, const Place& place, Proposals& proposals) override {
    const Stmt* body = isa<CXXForRangeStmt>(node) ? nullptr : loop_body(node);
    if (body == nullptr || is_left_alone(node, place) || !waits(body, place)) return;
    const Stmt* last = last_of(body);
    if (last == nullptr || leaves(last)) return;
    if (calls(last, "unlock", place)) {
      proposals.insert_before(*last, kName, "break;"); // what was locked for the look stays so
    } else {
      proposals.insert_after(*last, kName, "break;");
    }
  }
};

} // namespace

std::unique_ptr<Operator> make_skip_recheck() { return std::make_unique<SkipRecheck>(); }

} // namespace kiln::mutants
