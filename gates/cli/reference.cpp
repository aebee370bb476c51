#include <fmt/format.h>

#include "gates/cli/help.h"
#include "sim/rules.h"

namespace kiln::gates {

namespace {

std::string option_row(const Option& option) {
  std::string name = option.name;
  if (option.values[0] != '\0') name += std::string(" ") + option.values;
  return fmt::format("| `{}` | {} |\n", name, option.help);
}

std::string command_section(const Command& command) {
  std::string usage = fmt::format("fuzz.py {}", command.name);
  if (command.arguments[0] != '\0') usage += std::string(" ") + command.arguments;
  std::string out = fmt::format("### {}\n\n`{}`\n\n", command.name, usage);
  std::string purpose = command.purpose;
  purpose[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(purpose[0])));
  out += purpose + ".";
  if (command.more[0] != '\0') out += std::string(" ") + command.more;
  return out + "\n\n";
}

std::string takers(const Option& option) {
  if (option.commands == kForEvery) return "every command";
  std::string out;
  for (const Command& command : commands()) {
    if ((option.commands & command.bit) != 0)
      out += (out.empty() ? "" : ", ") + std::string(command.name);
  }
  return out;
}

std::string option_tables() {
  std::string out;
  std::string group;
  for (const Option& option : options()) {
    if (group != option.group) {
      group = option.group;
      out += fmt::format("\n### {}\n\n| option | what it does | goes with |\n| --- | --- | --- |\n",
                         group);
    }
    std::string row = option_row(option);
    row.pop_back();
    out += row + fmt::format(" {} |\n", takers(option));
  }
  return out;
}

std::string rule_table() {
  std::string out = "| rule | what it forbids |\n| --- | --- |\n";
  for (unsigned i = 0; i < sim::kRuleCount; ++i) {
    auto rule = static_cast<sim::Rule>(i);
    out += fmt::format("| `{}` | {} |\n", sim::rule_name(rule), sim::rule_text(rule));
  }
  return out;
}

} // namespace

std::string reference_text() {
  std::string out =
      "# Reference\n\nMade by `fuzz.py reference` from the tables in gates/cli/commands.cpp, "
      "gates/cli/options.cpp and\nsim/rules.h; a test compares. Do not edit.\n\n## Commands\n\n"
      "`fuzz.py` without a command is `fuzz.py gate`.\n\n";
  for (const Command& command : commands())
    out += command_section(command);
  out += "## Options\n" + option_tables();
  out += "\n## Exit codes\n\n| code | meaning |\n| --- | --- |\n";
  for (int i = 0; i <= status_of(ExitCode::kInconclusive); ++i) {
    out += fmt::format("| {} | {} |\n", i, exit_code_text(static_cast<ExitCode>(i)));
  }
  return out +
         "\n## Rules\n\nA target and a kernel's policy may switch a rule off; `fuzz.py list --all` "
         "names the canary of each.\n\n" +
         rule_table();
}

} // namespace kiln::gates
