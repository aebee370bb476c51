#pragma once
// A boot loader's environment block as a list of lines, for oracles: read from the bytes, changed
// by the rules of kernel-src/boot/env_block.h, written out again. GNU GRUB Manual 2.06,
// section 13.3.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::worlds {

class EnvModel {
 public:
  /// Nothing when the bytes are no block.
  static std::optional<EnvModel> read(std::span<const uint8_t> bytes);

  /// Whether a line can have this name: the loader ends a name at its first '=' and a line at its
  /// newline, reads '#' first as a comment, and cannot hold a NUL; a backslash belongs to values.
  static bool can_name(std::string_view name);

  std::optional<std::string> get(std::string_view name) const;
  /// False and unchanged when the block would grow.
  bool set(std::string_view name, std::string_view value);
  /// False when no line has that name.
  bool unset(std::string_view name);

  struct Line {
    std::string text; ///< without its newline
    std::string name; ///< empty: sets nothing
    std::string value;
  };
  const std::vector<Line>& lines() const { return lines_; }
  size_t room() const { return size_ - used_; }
  /// Whether these are the block's bytes.
  bool is(std::span<const uint8_t> bytes) const;

 private:
  size_t size_ = 0;
  size_t used_ = 0; ///< bytes of all lines, with the first
  std::vector<Line> lines_;
};

} // namespace kiln::worlds
