// bench: figures of the machine and the runner on this host, one core.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gates/bench/figures.h"
#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/session.h"
#include "gates/support/build_facts.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

using bench::Figure;

std::string line_of(const Figure& figure) {
  return fmt::format("{:<52} {:>12.{}f} {}", figure.name, figure.value, figure.value < 100 ? 2 : 0,
                     figure.unit);
}

// Targets made for it, when the user names none.
std::vector<const sim::Target*> benchmark_targets(const Settings& settings, std::string* error) {
  std::vector<const sim::Target*> chosen = choose_targets(settings.arguments, error);
  if (!settings.arguments.empty()) return chosen;
  std::erase_if(chosen, [](const sim::Target* target) {
    return std::string_view(target->info().tags).find("bench") == std::string_view::npos;
  });
  return chosen;
}

} // namespace

ExitCode command_bench(const Settings& settings) {
  std::string error;
  std::vector<const sim::Target*> targets = benchmark_targets(settings, &error);
  if (!error.empty()) return refuse(error);
  print_block(fmt::format("flavour {}; medians, one core", build_facts().flavour));
  nlohmann::ordered_json report = nlohmann::ordered_json::array();
  bool whole = true;
  auto show = [&](const std::function<std::vector<Figure>()>& measure) {
    std::vector<Figure> figures = bench::in_child(measure);
    whole &= !figures.empty();
    for (const Figure& figure : figures) {
      print_block(line_of(figure));
      report.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
    }
  };
  show(bench::switch_figures);
  show(bench::reset_figures);
  show(bench::thread_figures);
  for (const sim::Target* target : targets)
    show([&] { return bench::target_figures(*target); });
  if (!settings.json.empty()) whole &= write_report(settings.json, report.dump(2) + "\n");
  return whole ? ExitCode::kNothing : fail_runner("Something could not be measured.");
}

} // namespace kiln::gates
