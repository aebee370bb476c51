#include "tests/sim/lock_program.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace kiln::sim {
namespace {

// Static names and identities for the letters (and digits) that programs use.
struct Names {
  char class_name[26][2];
  char instance[26][10];
};
Names make_names() {
  Names names{};
  for (int i = 0; i < 26; ++i) {
    names.class_name[i][0] = static_cast<char>('A' + i);
  }
  return names;
}
const Names kNames = make_names();

const char* class_name(std::string_view lock) { return kNames.class_name[lock[0] - 'A']; }
const void* instance(std::string_view lock) {
  return &kNames.instance[lock[0] - 'A'][lock.size() > 1 ? lock[1] - '0' : 0];
}

LockMode mode_of(char how) {
  switch (how) {
  case 'r':
  case 'u':
    return LockMode::kSharedRecursive;
  case 's':
  case 'R':
    return LockMode::kShared;
  default:
    return LockMode::kExclusive;
  }
}
bool is_sleeping(char how) { return how == 'm' || how == 'W' || how == 'R'; }
bool is_trylock(char how) { return how == 't' || how == 'u'; }

} // namespace

LockProgram::LockProgram() : storage_(1), order_(storage_.data()) {
  levels_.push_back({.context = {.irqs_on = true, .softirqs_on = true}, .held = {}});
}

std::string LockProgram::in_column(std::string_view text, char take) {
  std::string out(text);
  std::replace(out.begin(), out.end(), 'L', take);
  return out;
}

std::optional<Rule> LockProgram::run(std::string_view text) {
  std::istringstream words{std::string(text)};
  for (std::string next; words >> next;) {
    ++site_;
    if (auto rule = word(next)) {
      return rule;
    }
  }
  return std::nullopt;
}

std::optional<Rule> LockProgram::word(std::string_view word) {
  if (change_context(word)) {
    return std::nullopt;
  }
  if (word == "on" || word == "soft-on") {
    return turn_on(word);
  }
  std::string_view lock = word.substr(1);
  if (word[0] == '-') {
    return release(lock);
  }
  if (word[0] == '!') {
    return holds(lock) ? std::optional(Rule::kLockDestroyedHeld) : std::nullopt;
  }
  return take(word[0], lock);
}

bool LockProgram::change_context(std::string_view word) {
  LockContext& now = levels_.back().context;
  if (word == "off") {
    now.irqs_on = false;
  } else if (word == "soft-off") {
    now.softirqs_on = false;
  } else if (word == "irq{") {
    levels_.push_back({{.in_irq = true, .in_softirq = now.in_softirq}, {}});
  } else if (word == "soft{") {
    levels_.push_back({{.in_softirq = true, .irqs_on = true}, {}});
  } else if (word == "}irq" || word == "}soft") {
    levels_.pop_back();
  } else {
    return false;
  }
  return true;
}

std::optional<Rule> LockProgram::turn_on(std::string_view word) {
  Level& level = levels_.back();
  (word == "on" ? level.context.irqs_on : level.context.softirqs_on) = true;
  bool well = order_->interrupts_enabled(level.context, level.held, site_, &verdict_);
  return well ? std::nullopt : std::optional(verdict_.rule);
}

bool LockProgram::may_sleep() const {
  const Level& level = levels_.back();
  return levels_.size() == 1 && level.context.irqs_on &&
         waiting_forbidden_by(level.held) == nullptr;
}

std::optional<Rule> LockProgram::take(char how, std::string_view lock) {
  if (std::string_view("xwrsmWRtun").find(how) == std::string_view::npos) {
    throw std::invalid_argument("no such operation: " + std::string(1, how));
  }
  if (is_sleeping(how) && !may_sleep()) {
    return Rule::kLockContext;
  }
  Level& level = levels_.back();
  Held taking{.lock_class = order_->add_class(class_name(lock)),
              .mode = mode_of(how),
              .nested = how == 'n',
              .spins = !is_sleeping(how),
              .of_allocator = false,
              .instance = instance(lock),
              .site = site_};
  if (!order_->acquire(taking, is_trylock(how), level.context, level.held, &verdict_)) {
    return verdict_.rule;
  }
  level.held.push_back(taking);
  return std::nullopt;
}

std::optional<Rule> LockProgram::release(std::string_view lock) {
  std::vector<Held>& held = levels_.back().held;
  for (size_t i = held.size(); i-- > 0;) {
    if (held[i].instance == instance(lock)) {
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
      return std::nullopt;
    }
  }
  return Rule::kLockNotHeld;
}

bool LockProgram::holds(std::string_view lock) const {
  const std::vector<Held>& held = levels_.back().held;
  return std::any_of(held.begin(), held.end(),
                     [&](const Held& one) { return one.instance == instance(lock); });
}

std::string LockProgram::headline() const {
  char text[512];
  lock_headline(*order_, verdict_, text, sizeof text);
  return text;
}

std::string LockProgram::other_label() const {
  char text[128];
  lock_other_label(*order_, verdict_, text, sizeof text);
  return text;
}

} // namespace kiln::sim
