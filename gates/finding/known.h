#pragma once
// Known findings: a file of identities that a run stays silent about, each with its reason.
//
//   # one a line: identity, white space, why it is tolerated
//   lock-order@log.ring+console#1a2b3c4d   the console driver goes away with the next board
//
// An identity with a line number matches that line only; without it
// ("undefined@lib/x.cpp#1a2b3c4d") any line. An entry that matched nothing is reported, so that the
// file does not rot.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gates/finding/identity.h"

namespace kiln::gates {

class KnownFindings {
 public:
  /// Nothing, and one sentence with the line's number, when a line is refused: no reason, no such
  /// rule, no hash, an entry twice.
  static std::optional<KnownFindings> parse(std::string_view text, std::string* error);
  static std::optional<KnownFindings> read(const std::string& path, std::string* error);

  /// The reason why this finding is silenced, or null. Counts as a use of the entry.
  const std::string* reason(const Identity& identity);

  /// One sentence for each entry that matched nothing.
  std::vector<std::string> unused() const;
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    unsigned line;
    std::string identity;
    std::string reason;
    uint64_t used;
  };
  std::vector<Entry> entries_;
  std::string path_;
};

} // namespace kiln::gates
