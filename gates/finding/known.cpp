#include "gates/finding/known.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "gates/support/read_file.h"

namespace kiln::gates {
namespace {

constexpr std::string_view kSpace = " \t\r";
constexpr size_t kLargestFile = size_t{4} << 20;

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// Of what may be no identity but a file of another kind.
std::string beginning(std::string_view text) {
  constexpr size_t kMost = 100;
  return std::string(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

/// What is wrong with an identity's form; "" when nothing.
std::string wrong_form(std::string_view identity) {
  size_t at = identity.find('@');
  size_t hash = identity.rfind('#');
  constexpr const char* kForm = "'{}' is no identity: it must look like rule@place#1a2b3c4d";
  if (at == std::string_view::npos || hash == std::string_view::npos || hash < at + 2) {
    return fmt::format(kForm, beginning(identity));
  }
  std::string_view digits = identity.substr(hash + 1);
  if (digits.size() != 8 ||
      digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return fmt::format(kForm, beginning(identity));
  }
  sim::Rule rule;
  std::string_view name = identity.substr(0, at);
  if (!sim::rule_by_name(name, &rule)) return fmt::format("there is no rule '{}'", beginning(name));
  return "";
}

} // namespace

std::optional<KnownFindings> KnownFindings::parse(std::string_view text, std::string* error) {
  KnownFindings known;
  std::unordered_set<std::string> seen;
  for (unsigned number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;

    size_t space = std::min(line.find_first_of(kSpace), line.size());
    Entry entry{number, std::string(line.substr(0, space)),
                std::string(trimmed(line.substr(space))), 0};
    std::string wrong = wrong_form(entry.identity);
    if (wrong.empty() && entry.reason.empty()) {
      wrong = fmt::format("'{}' has no reason: say after it why it is tolerated.", entry.identity);
    }
    if (wrong.empty() && !seen.insert(entry.identity).second) {
      wrong = fmt::format("'{}' stands there twice", entry.identity);
    }
    if (!wrong.empty()) {
      *error = fmt::format("known findings, line {}: {}", number, wrong);
      return std::nullopt;
    }
    known.entries_.push_back(std::move(entry));
  }
  return known;
}

std::optional<KnownFindings> KnownFindings::read(const std::string& path, std::string* error) {
  std::optional<std::string> text =
      read_file(path, kLargestFile, "a list of known findings", error);
  if (!text) return std::nullopt;
  std::optional<KnownFindings> known = parse(*text, error);
  if (known) {
    known->path_ = path;
  } else {
    *error = fmt::format("'{}': {}", path, *error);
  }
  return known;
}

const std::string* KnownFindings::reason(const Identity& identity) {
  for (const std::string& form : {identity.text(), identity.text_without_line()}) {
    for (Entry& entry : entries_) {
      if (entry.identity != form) continue;
      ++entry.used;
      return &entry.reason;
    }
  }
  return nullptr;
}

std::vector<std::string> KnownFindings::unused() const {
  std::vector<std::string> sentences;
  for (const Entry& entry : entries_) {
    if (entry.used != 0) continue;
    sentences.push_back(fmt::format("known finding '{}' ({}line {}) did not occur: remove it if it "
                                    "is mended",
                                    entry.identity, path_.empty() ? "" : path_ + ", ", entry.line));
  }
  return sentences;
}

} // namespace kiln::gates
