// Names and texts of the rules.

#include "sim/rules.h"

namespace kiln::sim {
namespace {

struct RuleRow {
  std::string_view name;
  std::string_view text;
};
constexpr RuleRow kRows[kRuleCount] = {
#define KILN_RULE_ROW(id, name, text) {name, text},
    KILN_RULES(KILN_RULE_ROW)
#undef KILN_RULE_ROW
};

} // namespace

std::string_view rule_name(Rule rule) { return kRows[static_cast<unsigned>(rule)].name; }
std::string_view rule_text(Rule rule) { return kRows[static_cast<unsigned>(rule)].text; }

bool rule_by_name(std::string_view name, Rule* out) {
  for (unsigned i = 0; i < kRuleCount; ++i) {
    if (kRows[i].name == name) {
      *out = static_cast<Rule>(i);
      return true;
    }
  }
  return false;
}

} // namespace kiln::sim
