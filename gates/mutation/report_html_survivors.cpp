#include <fmt/format.h>

#include "gates/mutation/report_html.h"
#include "gates/run/progress.h"

namespace kiln::gates {
namespace {

using Line = SourceChange::Line;

std::string diff_line(const Line& line) {
  auto text = [&](std::string_view look, char mark, std::string_view tag) {
    return fmt::format("<span class=\"{}\">{} {:5} {}<{}>{}</{}>{}</span>", look, mark, line.number,
                       html_text(line.before), tag, html_text(line.changed), tag,
                       html_text(line.after));
  };
  switch (line.kind) {
  case Line::Kind::kSame:
    return fmt::format("<span>  {:5} {}</span>", line.number, html_text(line.before));
  case Line::Kind::kRemoved:
    return text("removed", '-', "del");
  case Line::Kind::kAdded:
    return text("added", '+', "ins");
  case Line::Kind::kLeftOut:
    return "<span class=\"faint\">        (lines left out)</span>";
  }
  return "";
}

std::string diff(const sim::Mutant& mutant, ReportSources& sources) {
  SourceChange change = change_of(mutant, sources.file(mutant.path));
  if (change.lines.empty()) {
    return "<p class=\"faint\">Its lines are not shown: the source is not there, or is no longer "
           "what was mutated.</p>\n";
  }
  std::string out = "<pre>";
  for (const Line& line : change.lines)
    out += diff_line(line);
  return out + "</pre>\n";
}

std::string tried(const MutantResult& result) {
  std::string out;
  for (const MutantTry& go : result.tries) {
    out += fmt::format("{}{} ({} inputs)", out.empty() ? "; tried: " : ", ", html_text(go.target),
                       grouped(go.inputs));
  }
  return out;
}

std::string card(const Outcome& it, ReportSources& sources) {
  const sim::Mutant& mutant = *it.mutant;
  return fmt::format("<article data-row id=\"m{0}\">\n<p><strong>{1}</strong> {2} "
                     "<span class=\"faint\">mutant {0}</span></p>\n<p>{3}</p>\n"
                     "<p class=\"faint\">in {4}; {5}{6}</p>\n{7}</article>\n",
                     it.result->number, html_place(mutant.path, mutant.line),
                     html_text(mutant.oper), html_change(mutant), html_code(mutant.function),
                     seen_words(*it.result, mutant), tried(*it.result), diff(mutant, sources));
}

} // namespace

std::string html_survivors(const std::vector<Outcome>& mutants, ReportSources& sources) {
  std::string out;
  for (Verdict verdict : kSurvivorVerdicts) {
    std::string cards;
    size_t n = 0;
    for (const Outcome& it : mutants) {
      if (it.result->verdict != verdict) continue;
      cards += card(it, sources);
      ++n;
    }
    if (n == 0) continue;
    out += fmt::format("<h2>Survivors, {} ({})</h2>\n<p>{}</p>\n{}", verdict_words(verdict), n,
                       verdict_meaning(verdict), cards);
  }
  return out;
}

} // namespace kiln::gates
