#include "mutants/operators/roles.h"

#include <algorithm>
#include <cctype>

#include "mutants/operators/text.h"

namespace kiln::mutants {

namespace {

constexpr Roles::Known kKnown[] = {
    {"assert", "stops the kernel when its condition does not hold (macro or function)"},
    {"self-check",
     "looks for faults in the kernel's own data, as an assertion does: its body and what "
     "it is called with"},
    {"panic", "stops the kernel"},
    {"log", "writes a line for people to read"},
    {"annotation", "tells the machine what the kernel does; does nothing by itself"},
    {"try", "macro: the value of a result, or a return with its error; value_or() has a default"},
    {"checked-add", "adds, and fails when the sum does not fit"},
    {"checked-sub", "subtracts, and fails when the difference does not fit"},
    {"checked-mul", "multiplies, and fails when the product does not fit"},
    {"checked-shl", "shifts left, and fails when a bit is lost"},
    {"checked-cast", "converts a number, and fails when it does not fit"},
    {"wrapping-add", "the same function as checked-add that wraps"},
    {"wrapping-sub", "the same function as checked-sub that wraps"},
    {"wrapping-mul", "the same function as checked-mul that wraps"},
    {"wrapping-shl", "the same function as checked-shl that drops bits"},
    {"wrapping-cast", "the same function as checked-cast that drops bits"},
    {"symmetric", "may be handed its arguments in any order"},
    {"symmetric-pair", "the same for its first two arguments"},
    {"lock", "takes a lock"},
    {"unlock", "lets a lock go"},
    {"guard", "class that holds a lock while it lives; made of the lock"},
    {"relockable-guard", "guard with lock() and unlock(), which lets go only what it holds"},
    {"irq-guard", "guard that also keeps interrupts off"},
    {"lock-class", "class of which locks are made; itself made of a name"},
    {"irq-save", "turns interrupts off and returns the state before"},
    {"irq-restore", "puts the state of irq-save back"},
    {"irq-read", "returns the state as irq-save does, and changes nothing"},
    {"barrier", "orders memory accesses"},
    {"publish", "function, or variable that is written: tells others that something is ready"},
    {"wait", "waits until somebody wakes the caller, or for no reason"},
    {"wake", "wakes who waits"},
    {"reference-get", "takes one more reference"},
    {"reference-put", "gives a reference back"},
    {"timer-cancel", "cancels a timer or what is planned for later"},
    {"flush", "has a device or cache make durable or visible what was written"},
    {"device-write", "writes to a device"},
    {"unmap", "takes a mapping away"},
    {"tlb-flush", "has CPUs forget translations"},
    {"oracle", "harness: checks the kernel, and fails the run (macro or function)"},
    {"draw", "harness: draws a choice from the tape"},
};

bool is_known(std::string_view role) {
  return std::ranges::any_of(kKnown, [&](const Roles::Known& known) { return known.role == role; });
}

bool is_name(std::string_view name) {
  return std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == ':' || c == '*' || c == '~';
  });
}

/// `*` stands for any characters but "::".
bool matches(std::string_view pattern, std::string_view name) {
  while (!pattern.empty() && pattern.front() != '*') {
    if (name.empty() || name.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    name.remove_prefix(1);
  }
  if (pattern.empty()) return name.empty();
  pattern.remove_prefix(1);
  for (size_t taken = 0;; ++taken) {
    if (matches(pattern, name.substr(taken))) return true;
    if (taken >= name.size() || name[taken] == ':') return false;
  }
}

/// Takes the part before `separator` off the front of `text`.
std::string_view take_until(std::string_view& text, std::string_view separators) {
  const size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

} // namespace

std::optional<Roles> Roles::parse(std::string_view text, std::string* error) {
  Roles roles;
  for (unsigned number = 1; !text.empty(); ++number) {
    std::string_view line = take_until(text, "\n");
    line = trimmed(take_until(line, "#"));
    if (line.empty()) continue;
    const auto refuse = [&](const std::string& what) {
      *error = "line " + std::to_string(number) + " of the roles " + what;
      return std::nullopt;
    };
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.substr(colon).starts_with("::")) {
      return refuse("has no 'role:' in front of its names");
    }
    const std::string role(trimmed(line.substr(0, colon)));
    if (!is_known(role)) return refuse("names the role '" + role + "', which there is not");
    std::string_view names = trimmed(line.substr(colon + 1));
    if (names.empty()) return refuse("gives the role '" + role + "' to nothing");
    while (!names.empty()) {
      const std::string name(take_until(names, " \t"));
      if (name.empty()) continue;
      if (!is_name(name)) return refuse("has '" + name + "', which is no qualified name");
      roles.lines_.push_back({role, name});
    }
  }
  return roles;
}

bool Roles::has(std::string_view role, std::string_view qualified_name) const {
  return std::ranges::any_of(lines_, [&](const Line& line) {
    return line.role == role && matches(line.pattern, qualified_name);
  });
}

std::string_view Roles::name_of(std::string_view role) const {
  const auto found = std::ranges::find_if(lines_, [&](const Line& line) {
    return line.role == role && line.pattern.find('*') == std::string::npos;
  });
  return found == lines_.end() ? std::string_view() : std::string_view(found->pattern);
}

std::vector<Roles::Known> Roles::known() { return {std::begin(kKnown), std::end(kKnown)}; }

} // namespace kiln::mutants
