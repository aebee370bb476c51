#include "gates/mutation/report_html.h"

#include <fmt/format.h>

#include "gates/run/progress.h"

namespace kiln::gates {
namespace {

std::string headline(const MutationReport& report, const Tally& all) {
  return fmt::format(
      "<h1>Mutation testing: {}</h1>\n<p class=\"faint\">{} mutants, {} killed, {} survived; seed "
      "{}, at most {} inputs a target; {}, {:.0f} mutants a minute</p>\n",
      html_text(score_text(all)), all.made(), all.killed(), all.survived(), report.seed,
      grouped(report.budget), duration_text(report.seconds), report.mutants_per_minute);
}

constexpr const char* kFilter =
    "<div id=\"filter\"><input type=\"search\" placeholder=\"Filter mutants: words of path, "
    "function, operator, target, finding\" aria-label=\"Filter mutants\"></div>\n";

std::string missing_sources(const ReportSources& sources) {
  if (sources.missing().empty()) return "";
  std::string out = "<p class=\"bad\">This checkout lacks sources of the program:";
  for (const std::string& path : sources.missing())
    out += " " + html_code(path);
  return out + "</p>\n";
}

} // namespace

std::string mutation_html(const MutationReport& report, const sim::MutantTable& table,
                          ReportSources& sources, const std::string& tapes) {
  Tallies tallies = tally_of(report, table);
  std::vector<Outcome> kernel = outcomes_of_kind(report, table, sim::MutantKind::kKernel);
  std::string survivors = html_survivors(kernel, sources);
  std::string body = headline(report, tallies.all) + missing_sources(sources) +
                     html_summary(tallies) + html_catalogue(named_outcomes(report, table), tapes) +
                     html_harness(report.harness) + kFilter + survivors +
                     html_killed(kernel, tapes) + html_apart(kernel, unmade_of(report, table));
  return html_page("Mutation testing", body);
}

} // namespace kiln::gates
