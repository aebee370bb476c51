#pragma once
// Mutants that a reviewer has found to be no change at all: gates/mutants/equivalent/*.txt. Blocks
// of lines, an empty line between them; '#' begins a comment line:
//
//   Path: kernel-src/lib/ring.h
//   Function: clay::Ring::push
//   Operator: boundary
//   Change: size() < capacity => size() != capacity
//   Nth: 2
//   Reason: size() is never above capacity: push_over() is the only other writer,
//     and drops one first.
//
// Nothing here counts lines, so that an edit elsewhere leaves it valid. `Nth` (from 1) is for a
// function that has the same change in several places; without it all of them are meant.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/mutants.h"

namespace kiln::gates {

struct Equivalent {
  std::string path;
  std::string function;
  std::string oper;
  std::string original;
  std::string replacement;
  unsigned nth = 0; ///< 0: all
  std::string reason;
  unsigned line = 0; ///< of the block's first
};

class Equivalents {
 public:
  /// Nothing, and one sentence that names the line, when the text is no such list.
  static std::optional<Equivalents> parse(std::string_view text, std::string* error);

  /// The reason by the number of the mutant. `stale` gets a sentence for each entry that no mutant
  /// matches although the table has mutants of its file.
  std::unordered_map<uint32_t, std::string> match(std::span<const sim::Mutant> mutants,
                                                  std::vector<std::string>* stale) const;
  const std::vector<Equivalent>& list() const { return list_; }

 private:
  std::vector<Equivalent> list_;
};

} // namespace kiln::gates
