#pragma once
// The kernel's command line: words separated by blanks, each a name or name=value, double quotes
// around blanks that belong to a value. The text stays where it is; a look-up reads it through.
//
//   name               a switch: its value is empty
//   name=value         up to the next blank
//   name="two words"   quotes anywhere in a word keep blanks together, and are no part of it
//   --                 what follows is for the first program, not for the kernel
//
// Where a name comes twice the last one counts. An open quote reaches to the end of the line.

#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

/// One word as it stands in the line, quotes and all.
class CommandWord {
 public:
  explicit CommandWord(StringView text) : text_(text) {}

  StringView text() const { return text_; }
  /// Whether its name (what stands before the first '=') is this; - and _ are the same.
  bool is_named(StringView name) const;
  bool has_value() const;
  /// Copies the value without its quotes. kNoSpace: it is longer than `out`, which holds a first
  /// part.
  Result<size_t> value(Span<char> out) const;

 private:
  StringView text_;
};

class CommandLine {
 public:
  explicit CommandLine(StringView text) : text_(text) {}

  /// Calls take(CommandWord) for each word of the kernel's, in order.
  template <typename Take> void for_each(Take take) const {
    StringView rest = text_;
    for (StringView word = next_word(rest); is_ours(word); word = next_word(rest)) {
      take(CommandWord(word));
    }
  }
  /// What stands behind a word "--", blanks in front left out; empty when there is none.
  StringView for_first_program() const;

  /// The last word of that name; kNotFound.
  Result<CommandWord> find(StringView name) const;
  bool has(StringView name) const { return find(name).ok(); }

  // The value of the last word of that name. kNotFound: no such word. kInvalid: it has no value or
  // one of another kind.

  Result<uint64_t> number(StringView name) const;
  /// With K, M, G or T behind it.
  Result<uint64_t> size(StringView name) const;
  /// on, yes, true, 1 or no value at all; off, no, false, 0.
  Result<bool> boolean(StringView name) const;

 private:
  /// The next word, taken off `rest`; empty at the end.
  static StringView next_word(StringView& rest);
  static bool is_ours(StringView word) { return !word.empty() && !(word == "--"); }

  StringView text_;
};

} // namespace clay
