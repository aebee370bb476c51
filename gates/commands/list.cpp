// list: the targets, what they check, how many inputs their gate has.

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/progress.h"
#include "gates/run/session.h"
#include "gates/support/screen.h"
#include "sim/probe.h"

namespace kiln::gates {

namespace {

unsigned probes_of(std::string_view target) {
  unsigned count = 0;
  for (const sim::Probe* probe = sim::Probe::first(); probe != nullptr; probe = probe->next()) {
    count += probe->target() == target ? 1 : 0;
  }
  return count;
}

std::string line_of(const sim::TargetInfo& info, size_t width) {
  std::string line = fmt::format("{:<{}}  {:>11}  {:>6}  {}\n", info.name, width,
                                 grouped(info.gate_inputs), probes_of(info.name), info.purpose);
  if (info.feed != nullptr) {
    line += fmt::format("{:<{}}  takes {}\n", "", width + 21,
                        info.feed_takes != nullptr ? info.feed_takes : "a file");
  }
  return line;
}

nlohmann::ordered_json json_of(const sim::TargetInfo& info) {
  nlohmann::ordered_json entry = {{"name", info.name},
                                  {"purpose", info.purpose},
                                  {"gate_inputs", info.gate_inputs},
                                  {"longest_tape", info.longest_tape},
                                  {"tags", info.tags},
                                  {"probes", probes_of(info.name)},
                                  {"feed", info.feed != nullptr}};
  if (info.must_fail) entry["must_break"] = sim::rule_name(info.must_break);
  return entry;
}

} // namespace

ExitCode command_list(const Settings& settings) {
  std::string error;
  std::vector<const sim::Target*> targets = choose_targets(settings.arguments, &error);
  if (!error.empty()) return refuse(error);
  if (settings.all && settings.arguments.empty()) targets = all_targets();
  size_t width = 6;
  for (const auto* target : targets) {
    width = std::max(width, std::string_view(target->info().name).size());
  }
  std::string text = fmt::format("{:<{}}  {:>11}  {:>6}  {}\n", "target", width, "gate inputs",
                                 "probes", "purpose");
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto* target : targets) {
    text += line_of(target->info(), width);
    list.push_back(json_of(target->info()));
  }
  print_block(text);
  bool written = settings.json.empty() || write_report(settings.json, list.dump(2) + "\n");
  return written ? ExitCode::kNothing : ExitCode::kInconclusive;
}

} // namespace kiln::gates
