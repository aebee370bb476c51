// Memory orders that promise less.

#include "mutants/operators/ast.h"
#include "mutants/operators/families.h"

namespace kiln::mutants {

using namespace clang;

namespace {

constexpr const char* kName = "weaken-order";

class WeakenOrder : public Operator {
 public:
  using Operator::look_at;
  std::vector<Name> names() const override {
    return {{kName, "a memory order promises less", false}};
  }
  void look_at(const Expr& node, const Place& place, Proposals& proposals) override {
    const auto* name = dyn_cast<DeclRefExpr>(&node);
    if (name == nullptr || is_left_alone(node, place)) return;
    const std::string order = order_of(*name);
    const std::string text = text_of(node, proposals);
    if (order.empty() || !text.ends_with(order)) return;
    std::vector<Variant> variants;
    for (const char* weaker : weaker_than(order)) {
      variants.push_back({kName, text.substr(0, text.size() - order.size()) + weaker});
    }
    if (!variants.empty()) proposals.choose(node, std::move(variants), false);
  }

 private:
  /// "acquire" of std::memory_order_acquire and std::memory_order::acquire.
  static std::string order_of(const DeclRefExpr& name) {
    if (!is_memory_order(name.getType())) return {};
    const StringRef value = name.getDecl()->getName();
    const size_t prefix = value.rfind("memory_order_");
    return (prefix == StringRef::npos ? value : value.substr(prefix + 13)).str();
  }
  static std::vector<const char*> weaker_than(const std::string& order) {
    if (order == "seq_cst") return {"acq_rel", "relaxed"};
    if (order == "acq_rel") return {"acquire", "release", "relaxed"};
    if (order == "acquire" || order == "release" || order == "consume") return {"relaxed"};
    return {};
  }
};

} // namespace

std::unique_ptr<Operator> make_weaken_order() { return std::make_unique<WeakenOrder>(); }

} // namespace kiln::mutants
