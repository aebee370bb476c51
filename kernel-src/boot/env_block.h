#pragma once
// The environment block of a boot loader: a file of fixed size (1,024 bytes) in which loader and
// system leave each other variables. GNU GRUB Manual 2.06, section 13.3 ("The GRUB environment
// block"):
//
//   # GRUB Environment Block
//   name=value          a backslash before a backslash or newline that belongs to the value
//   # a comment
//   ######...           filled up to its size
//
// The size never changes, since a loader knows the block by its place on the disk. An operation
// that fails changes no byte.

#include <stddef.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

class EnvBlock {
 public:
  static constexpr size_t kBytes = 1024;
  static constexpr StringView kSignature = "# GRUB Environment Block\n";

  /// Works on `block`, which must outlive it; of any size that holds the signature. kCorrupt: no
  /// signature, or text between the last line and the filling.
  static Result<EnvBlock> open(MutableBytes block);
  /// Makes a block without variables out of any memory. kNoSpace: smaller than the signature.
  static Result<EnvBlock> format(MutableBytes block);

  /// A variable as it stands in the block.
  struct Variable {
    StringView name;
    StringView escaped; ///< the value with its backslashes
  };
  /// Calls take(Variable) for each line that sets one, in order.
  template <typename Take> void for_each(Take take) const {
    for (Line line = line_at(kSignature.size()); line.end != line.begin; line = line_at(line.end)) {
      if (line.is_variable()) {
        take(variable_of(line));
      }
    }
  }

  /// Copies the value that the last line of that name sets. kNotFound. kNoSpace: longer than `out`,
  /// which holds a first part.
  Result<size_t> get(StringView name, Span<char> out) const;
  /// Sets it in the place of the first line of that name, or behind all others; further lines of
  /// that name go. kInvalid: a name that no line can have. kNoSpace.
  Result<void> set(StringView name, StringView value);
  /// Removes all lines of that name. kNotFound.
  Result<void> unset(StringView name);

  /// Bytes that are still free.
  size_t room() const { return block_.size() - used_; }

  /// Whether a line can have this name: not empty, no '=', newline, NUL or backslash, no '#' at its
  /// beginning.
  static bool is_name(StringView name);

 private:
  /// [begin, end) with its newline; begin == end behind the last one.
  struct Line {
    size_t begin;
    size_t end;
    size_t equals; ///< index of its '='; `end` when it sets nothing
    bool closed;   ///< by a newline
    bool is_variable() const { return equals != end; }
  };

  EnvBlock(MutableBytes block, size_t used) : block_(block), used_(used) {}

  Line line_at(size_t begin) const;
  Variable variable_of(const Line& line) const;
  bool sets(const Line& line, StringView name) const;
  StringView text(size_t begin, size_t end) const;
  /// Takes the lines of that name out; the place of the first one, or where the text ends.
  size_t take_out(StringView name);
  size_t bytes_of_lines(StringView name) const;
  void make_room(size_t at, size_t bytes);

  MutableBytes block_;
  size_t used_; ///< behind the last line
};

} // namespace clay
