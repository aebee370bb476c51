#include "gates/cli/help.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln::gates {

namespace {

constexpr size_t kWidth = 100;

// Breaks at spaces; lines after the first begin with `indent` spaces.
std::string wrap(const std::string& text, size_t first_column, size_t indent) {
  std::string out;
  size_t column = first_column;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find(' ', at), text.size());
    size_t length = end - at;
    bool at_start = out.empty() || column == indent;
    if (!at_start && column + 1 + length > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      at_start = true;
    }
    if (!at_start) {
      out += ' ';
      ++column;
    }
    out.append(text, at, length);
    column += length;
    at = end + 1;
  }
  return out;
}

std::string option_lines(const Command& command) {
  constexpr size_t kColumn = 28;
  std::string out;
  std::string group;
  for (const Option& option : options()) {
    if ((option.commands & command.bit) == 0) continue;
    if (group != option.group) out += fmt::format("\n{}\n", option.group);
    group = option.group;
    std::string name = fmt::format("  {} {}", option.name, option.values);
    std::string pad = name.size() + 1 < kColumn ? std::string(kColumn - name.size(), ' ')
                                                : "\n" + std::string(kColumn, ' ');
    out += name + pad + wrap(option.help, kColumn, kColumn) + "\n";
  }
  return out;
}

std::string exit_code_lines(const char* format) {
  std::string out;
  for (int i = 0; i <= status_of(ExitCode::kInconclusive); ++i) {
    auto code = static_cast<ExitCode>(i);
    out += fmt::format(fmt::runtime(format), i, exit_code_text(code));
  }
  return out;
}

} // namespace

std::string general_help() {
  std::string out =
      "Runs a kernel's own sources on a simulated machine and tries to break them.\n\n"
      "  fuzz.py                        the gate: every target, seed 1\n"
      "  fuzz.py boot/fdt 'sync/*'      only these\n"
      "  fuzz.py --seed 7 --seconds 300 a campaign: five minutes a target\n"
      "  fuzz.py --replay sync/locks out/findings/X.hex\n\nCommands\n";
  for (const Command& command : commands()) {
    out += fmt::format("  {:<12}{}\n", command.name, wrap(command.purpose, 14, 14));
  }
  out += "\nfuzz.py COMMAND --help lists a command's options. Exit codes:\n";
  return out + exit_code_lines("  {}  {}\n");
}

std::string command_help(const Command& command) {
  std::string usage = fmt::format("fuzz.py {} {} [OPTIONS]", command.name, command.arguments);
  std::string out = fmt::format("{}\n\n{}.\n", usage, wrap(command.purpose, 0, 0));
  if (command.more[0] != '\0') out += wrap(command.more, 0, 0) + "\n";
  return out + option_lines(command);
}

} // namespace kiln::gates
