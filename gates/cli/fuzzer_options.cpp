// Choosing the target, and defaults for libFuzzer's flags.

#include "gates/cli/fuzzer_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace kiln::gates {
namespace {

constexpr std::string_view kTargetFlag = "--target=";

bool starts_with_any(const std::vector<std::string>& arguments, std::string_view prefix) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const std::string& argument) { return argument.starts_with(prefix); });
}

std::string names_of_targets() {
  std::string names;
  for (const sim::Target* target : sim::Target::all()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target->info().name);
  }
  return names;
}

/// kiln-fuzzer-lib-format: the target whose name has '/' where this has '-'.
const sim::Target* target_of_program(std::string_view program) {
  program.remove_prefix(std::min(program.rfind('/') + 1, program.size()));
  for (const sim::Target* target : sim::Target::all()) {
    std::string dashed = target->info().name;
    std::replace(dashed.begin(), dashed.end(), '/', '-');
    if (program.ends_with("-" + dashed)) return target;
  }
  return nullptr;
}

} // namespace

const sim::Target* choose_fuzzed_target(const std::vector<std::string>& arguments,
                                        const char* environment, std::string* error) {
  std::string name = environment == nullptr ? "" : environment;
  for (const std::string& argument : arguments) {
    if (argument.starts_with(kTargetFlag)) name = argument.substr(kTargetFlag.size());
  }
  if (name.empty()) {
    const sim::Target* target = arguments.empty() ? nullptr : target_of_program(arguments[0]);
    if (target == nullptr) *error = "say which target to run: --target=NAME, or KILN_TARGET=NAME";
    return target;
  }
  const sim::Target* target = sim::Target::find(name);
  if (target == nullptr) {
    *error = fmt::format("no target is named '{}'; there are: {}", name, names_of_targets());
  }
  return target;
}

std::vector<std::string> with_fuzzer_defaults(std::vector<std::string> arguments,
                                              const sim::Target& target) {
  const std::pair<const char*, std::string> kDefaults[] = {
      {"-max_len=", std::to_string(target.info().longest_tape)},
      {"-len_control=", "0"},
      {"-detect_leaks=", "0"},
      {"-timeout=", "10"},
  };
  for (const auto& [flag, value] : kDefaults) {
    if (!starts_with_any(arguments, flag)) arguments.push_back(flag + value);
  }
  return arguments;
}

} // namespace kiln::gates
