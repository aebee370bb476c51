#pragma once
// Colours for people, nothing for files and pipes.

#include <string>
#include <string_view>

namespace kiln::gates {

class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}
  std::string bad(std::string_view text) const { return paint("1;31", text); }
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string head(std::string_view text) const { return paint("1;36", text); }

 private:
  /// SGR parameters of ECMA-48, 8.3.117.
  std::string paint(std::string_view code, std::string_view text) const {
    if (!colour_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
  bool colour_;
};

/// Whether `fd` is a terminal that shows colours (and the user has not set NO_COLOR).
bool wants_colour(int fd);

} // namespace kiln::gates
