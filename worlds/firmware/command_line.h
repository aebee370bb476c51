#pragma once
// A second reader of kernel command lines, for oracles: one pass, character by character, that
// collects every word with its parts. Written from the head of kernel-src/boot/cmdline.h, which is
// the only specification that there is.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::worlds {

struct LineWord {
  std::string raw;                  ///< as it stands in the line
  std::string name;                 ///< - for _
  std::optional<std::string> value; ///< without quotes
};

struct ParsedLine {
  std::vector<LineWord> words; ///< the kernel's
  std::string for_program;     ///< behind "--"
};

ParsedLine parse_command_line(std::string_view line);

/// As C writes numbers, 0b too; nothing for anything else, or more than 64 bits.
std::optional<uint64_t> number_of(std::string_view text);
/// The same with K, M, G or T behind it.
std::optional<uint64_t> size_of(std::string_view text);

} // namespace kiln::worlds
