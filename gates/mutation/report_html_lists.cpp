// Tables of mutants that are no survivors.

#include <fmt/format.h>

#include "gates/mutation/report_files.h"
#include "gates/mutation/report_html.h"
#include "gates/support/front_door.h"
#include "gates/support/printable.h"

namespace kiln::gates {
namespace {

std::string details(std::string_view title, size_t n, std::string_view head,
                    const std::string& rows) {
  if (n == 0) return "";
  return fmt::format("<details><summary>{} ({})</summary>\n<div class=\"scroll\"><table>\n"
                     "<tr>{}</tr>\n{}</table></div></details>\n",
                     title, n, head, rows);
}

/// What shows the kill again. Without a tape at hand `mutate` makes one.
std::string replay(const MutantResult& result, const std::string& tapes) {
  if (tapes.empty() || result.verdict != Verdict::kKilled) return "";
  std::string command =
      result.tape.empty()
          ? fmt::format("{} mutate --mutant {}", front_door(), result.number)
          : fmt::format("{} replay {} {} --mutant {}", front_door(), shell_word(result.target),
                        shell_word(mutant_tape_path(tapes, result.number)), result.number);
  return "<br>" + html_code(command);
}

std::string finding(const MutantResult& result) {
  std::string at = result.place.empty() ? "" : " at " + html_code(result.place);
  return fmt::format("{}: {}{}", html_text(sim::rule_name(result.rule)), html_text(result.headline),
                     at);
}

std::string killed_row(const Outcome& it, const std::string& tapes) {
  const auto& [result, mutant] = it;
  return fmt::format("<tr data-row id=\"m{}\"><td class=\"n\">{}</td><td>{} {}<br>{}<br>"
                     "<span class=\"faint\">in {}</span></td><td>{}</td><td class=\"n\">{}</td>"
                     "<td>{}{}</td></tr>\n",
                     result->number, result->number, html_place(mutant->path, mutant->line),
                     html_text(mutant->oper), html_change(*mutant), html_code(mutant->function),
                     html_text(result->target), result->inputs, finding(*result),
                     replay(*result, tapes));
}

std::string apart_of(const std::vector<Outcome>& mutants, Verdict verdict, std::string_view title) {
  std::string rows;
  size_t n = 0;
  for (const auto& [result, mutant] : mutants) {
    if (result->verdict != verdict) continue;
    rows += fmt::format("<tr data-row id=\"m{}\"><td class=\"n\">{}</td><td>{} {}</td><td>{}</td>"
                        "<td>{}</td></tr>\n",
                        result->number, result->number, html_place(mutant->path, mutant->line),
                        html_text(mutant->oper), html_change(*mutant), html_text(result->reason));
    ++n;
  }
  return details(title, n,
                 "<th class=\"n\">mutant</th><th>place</th><th>change</th><th>reason</th>", rows);
}

std::string not_compiled(const std::vector<const sim::UnmadeMutant*>& unmade) {
  std::string rows;
  for (const sim::UnmadeMutant* place : unmade) {
    rows += fmt::format("<tr data-row><td>{} {}</td><td>{}</td><td>{}</td></tr>\n",
                        html_place(place->path, place->line), html_text(place->oper),
                        html_code(place->original), html_text(place->reason));
  }
  return details("Not compiled", unmade.size(), "<th>place</th><th>text</th><th>reason</th>", rows);
}

} // namespace

std::string html_killed(const std::vector<Outcome>& mutants, const std::string& tapes) {
  std::string rows;
  size_t n = 0;
  for (const Outcome& it : mutants) {
    if (it.result->verdict != Verdict::kKilled) continue;
    rows += killed_row(it, tapes);
    ++n;
  }
  if (n == 0) return "";
  return "<h2>Killed</h2>\n" + details("Killed", n,
                                       "<th class=\"n\">mutant</th><th>change</th><th>target</th>"
                                       "<th class=\"n\">inputs</th><th>finding</th>",
                                       rows);
}

std::string html_apart(const std::vector<Outcome>& mutants,
                       const std::vector<const sim::UnmadeMutant*>& unmade) {
  std::string out = apart_of(mutants, Verdict::kEquivalent, "Equivalent, by review") +
                    apart_of(mutants, Verdict::kIdentical, "Identical to the compiler") +
                    apart_of(mutants, Verdict::kNotJudged, "Not judged: nothing sees them yet") +
                    apart_of(mutants, Verdict::kInconclusive, "Inconclusive: the runner failed") +
                    apart_of(mutants, Verdict::kPending, "Not run") + not_compiled(unmade);
  return out.empty() ? out : "<h2>Not in the score</h2>\n" + out;
}

std::string html_catalogue(const std::vector<NamedOutcome>& outcomes, const std::string& tapes) {
  if (outcomes.empty()) return "";
  std::string out =
      "<h2>Named mutants: bugs of the past, put back</h2>\n<div class=\"scroll\"><table>\n"
      "<tr><th>name</th><th>kind</th><th>target</th><th class=\"n\">inputs</th>"
      "<th class=\"n\">allowed</th><th></th><th>what it was</th></tr>\n";
  for (const NamedOutcome& it : outcomes) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>"
                       "<td class=\"n\">{}</td><td{}>{}</td><td>{}{}</td></tr>\n",
                       html_code(it.named->name), html_text(it.named->kind),
                       html_text(it.named->target), it.inputs, it.named->within,
                       it.end == NamedEnd::kFound ? "" : " class=\"bad\"", named_end_words(it.end),
                       html_text(it.named->was), replay(*it.result, tapes));
  }
  return out + "</table></div>\n";
}

std::string html_harness(const std::vector<HarnessResult>& parts) {
  if (parts.empty()) return "";
  std::string out =
      "<h2>Harness mutants: what is lost without each part</h2>\n<div class=\"scroll\"><table>\n"
      "<tr><th>without</th><th>target</th><th class=\"n\">kills</th><th class=\"n\">lost</th>"
      "<th>mutants lost</th></tr>\n";
  for (const HarnessResult& part : parts) {
    std::string lost;
    for (uint32_t number : part.lost_mutants)
      lost += fmt::format(" <a href=\"#m{0}\">{0}</a>", number);
    if (std::string words = harness_words(part); !words.empty()) lost += " " + words;
    out += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                       "<td>{}</td></tr>\n",
                       html_text(part.part), part.target.empty() ? "all" : html_text(part.target),
                       part.kills, part.lost, lost);
  }
  return out + "</table></div>\n";
}

} // namespace kiln::gates
