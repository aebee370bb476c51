#include "gates/mutation/equivalents.h"

#include <fmt/format.h>
#include <set>

namespace kiln::gates {

namespace {

constexpr std::string_view kArrow = " => ";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

/// Reads the list line by line; `said` is the first complaint.
class Reader {
 public:
  void line(std::string_view text) {
    ++number_;
    if (text.starts_with('#')) return;
    if (trimmed(text).empty()) return end_block();
    if (text.front() == ' ' || text.front() == '\t') return go_on(trimmed(text));
    size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      return complain("there is no colon after the field's name");
    field(text.substr(0, colon), trimmed(text.substr(colon + 1)));
  }

  void end_block() {
    if (!open_) return;
    open_ = false;
    const char* missing = missing_field();
    if (missing != nullptr) complain_at(entry_.line, fmt::format("the block has no {}", missing));
    list.push_back(std::move(entry_));
  }

  std::vector<Equivalent> list;
  std::string said;

 private:
  const char* missing_field() const {
    if (entry_.path.empty()) return "Path";
    if (entry_.function.empty()) return "Function";
    if (entry_.oper.empty()) return "Operator";
    if (!has_change_) return "Change";
    return entry_.reason.empty() ? "Reason" : nullptr;
  }

  void begin_block() {
    if (open_) return;
    open_ = true;
    has_change_ = false;
    given_.clear();
    entry_ = {};
    entry_.line = number_;
  }

  void field(std::string_view name, std::string_view value) {
    begin_block();
    if (!given_.insert(name).second) {
      complain(
          fmt::format("the block has a second {}; an empty line may be missing before it", name));
    }
    in_reason_ = name == "Reason";
    if (name == "Path") {
      entry_.path = value;
    } else if (name == "Function") {
      entry_.function = value;
    } else if (name == "Operator") {
      entry_.oper = value;
    } else if (name == "Reason") {
      entry_.reason = value;
    } else if (name == "Change") {
      change(value);
    } else if (name == "Nth") {
      nth(value);
    } else {
      complain(
          fmt::format("'{}' is no field: Path, Function, Operator, Change, Nth or Reason", name));
    }
  }

  void change(std::string_view value) {
    size_t arrow = value.find(kArrow);
    // A change to nothing ends in the arrow, whose blank has been cut.
    if (arrow == std::string_view::npos && value.ends_with(" =>")) arrow = value.size() - 3;
    if (arrow == std::string_view::npos) return complain("a Change is 'original => replacement'");
    entry_.original = trimmed(value.substr(0, arrow));
    entry_.replacement = trimmed(value.substr(arrow + 3));
    has_change_ = true;
  }

  void nth(std::string_view value) {
    if (value.size() != 1 || value[0] < '1' || value[0] > '9') {
      return complain("Nth is a number from 1 to 9");
    }
    entry_.nth = static_cast<unsigned>(value[0] - '0');
  }

  void go_on(std::string_view text) {
    if (!open_ || !in_reason_) return complain("only a Reason may go on in a second line");
    entry_.reason += " ";
    entry_.reason += text;
  }

  void complain(const std::string& what) { complain_at(number_, what); }
  void complain_at(unsigned line, const std::string& what) {
    if (said.empty()) said = fmt::format("line {}: {}.", line, what);
  }

  Equivalent entry_;
  unsigned number_ = 0;
  bool open_ = false;
  bool has_change_ = false;
  std::set<std::string_view> given_; ///< fields of the block
  bool in_reason_ = false;
};

bool is_same_change(const Equivalent& entry, const sim::Mutant& mutant) {
  return entry.path == mutant.path && entry.function == mutant.function &&
         entry.oper == mutant.oper && entry.original == mutant.original &&
         entry.replacement == mutant.replacement;
}

} // namespace

std::optional<Equivalents> Equivalents::parse(std::string_view text, std::string* error) {
  Reader reader;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  reader.end_block();
  if (!reader.said.empty()) {
    *error = reader.said;
    return std::nullopt;
  }
  Equivalents equivalents;
  equivalents.list_ = std::move(reader.list);
  return equivalents;
}

std::unordered_map<uint32_t, std::string>
Equivalents::match(std::span<const sim::Mutant> mutants, std::vector<std::string>* stale) const {
  // A program may hold the mutants of some files only, and says nothing about the others' entries.
  std::set<std::string_view> files;
  for (const sim::Mutant& mutant : mutants) {
    if (mutant.kind != sim::MutantKind::kNamed) files.insert(mutant.path);
  }
  std::unordered_map<uint32_t, std::string> reasons;
  for (const Equivalent& entry : list_) {
    unsigned seen = 0;
    bool used = false;
    for (uint32_t number = 0; number < mutants.size(); ++number) {
      if (!is_same_change(entry, mutants[number])) continue;
      if (entry.nth != 0 && ++seen != entry.nth) continue;
      reasons[number] = entry.reason;
      used = true;
    }
    if (used || !files.contains(entry.path)) continue;
    stale->push_back(fmt::format("line {}: no mutant is '{} => {}' ({}) in {} of {} any more: look "
                                 "at it again, and take it out or mend it.",
                                 entry.line, entry.original, entry.replacement, entry.oper,
                                 entry.function, entry.path));
  }
  return reasons;
}

} // namespace kiln::gates
