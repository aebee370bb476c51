#pragma once
// What the subject's functions and classes are for: which call takes a lock, which wakes, which
// flushes. Operators ask by role, so that they fit any kernel. The list is a text file
// (gates/mutants/clay.roles): a role, a colon, and qualified names in which * stands for anything
// but '::'; '#' begins a comment. Macros, parameters of templates, and members of what only an
// instance of a template knows, have their bare name.
//
//   unlock:  clay::SpinLock::unlock  clay::*Guard::unlock
//   guard:   clay::SpinGuard clay::IrqSpinGuard

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::mutants {

class Roles {
 public:
  /// Null, and one sentence that names the line, when the text is not a list of roles.
  static std::optional<Roles> parse(std::string_view text, std::string* error);
  /// Whether the entity of that qualified name (template arguments left out) has the role.
  bool has(std::string_view role, std::string_view qualified_name) const;
  /// The first name without a * that the list gives the role; empty when there is none. For roles
  /// that say what to call, as `irq-read`.
  std::string_view name_of(std::string_view role) const;
  /// Roles that the list may name, each with one sentence.
  struct Known {
    std::string_view role;
    std::string_view text;
  };
  static std::vector<Known> known();

 private:
  struct Line {
    std::string role;
    std::string pattern;
  };
  std::vector<Line> lines_;
};

} // namespace kiln::mutants
