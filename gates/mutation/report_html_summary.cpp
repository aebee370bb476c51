#include <fmt/format.h>

#include "gates/mutation/report_html.h"

namespace kiln::gates {
namespace {

/// Killed and survived as parts of one bar.
std::string bar(const Tally& tally) {
  uint64_t counted = tally.killed() + tally.survived();
  std::string out = "<span class=\"bar\">";
  for (Verdict verdict :
       {Verdict::kKilled, Verdict::kNotNoticed, Verdict::kNotDifferent, Verdict::kNotReached}) {
    uint64_t n = tally.of(verdict);
    if (n == 0) continue;
    out += fmt::format(
        "<i class=\"{}\" style=\"width:{:.2f}%\" title=\"{} {}\"></i>", verdict_name(verdict),
        100.0 * static_cast<double>(n) / static_cast<double>(counted), n, verdict_words(verdict));
  }
  return out + "</span>";
}

std::string row(std::string_view name, const Tally& tally, std::string_view look) {
  std::string out = fmt::format("<tr{}><td>{}</td><td>{}</td><td class=\"n\">{}</td>", look,
                                html_code(name), bar(tally), score_text(tally));
  uint64_t figures[] = {tally.made(),
                        tally.killed(),
                        tally.of(Verdict::kNotReached),
                        tally.of(Verdict::kNotDifferent),
                        tally.of(Verdict::kNotNoticed),
                        tally.of(Verdict::kEquivalent),
                        tally.of(Verdict::kIdentical),
                        tally.of(Verdict::kNotJudged) + tally.of(Verdict::kInconclusive) +
                            tally.of(Verdict::kPending),
                        tally.not_compiled};
  for (uint64_t figure : figures)
    out += fmt::format("<td class=\"n\">{}</td>", figure);
  return out + "</tr>\n";
}

std::string table(std::string_view what, const std::string& rows) {
  std::string head = fmt::format("<tr><th>{}</th><th></th>", what);
  for (const char* column :
       {"score", "made", "killed", "not reached", "never different", "not noticed", "equivalent",
        "identical", "not judged or run", "not compiled"})
    head += fmt::format("<th class=\"n\">{}</th>", column);
  return fmt::format("<div class=\"scroll\"><table>\n{}</tr>\n{}</table></div>\n", head, rows);
}

} // namespace

std::string html_summary(const Tallies& tallies) {
  if (tallies.files.empty()) return "<p>The run has no mutants of the kernel.</p>\n";
  std::string places;
  for (const TallyRow& folder : tallies.folders) {
    places += row(folder.name + "/", folder.tally, " class=\"folder\"");
    for (const TallyRow& file : tallies.files) {
      if (folder_of(file.name) != folder.name) continue;
      places += row(file.name.substr(file.name.rfind('/') + 1), file.tally, "");
    }
  }
  std::string operators;
  for (const TallyRow& oper : tallies.operators)
    operators += row(oper.name, oper.tally, "");
  return "<h2>By place</h2>\n" + table("place", places) + "<h2>By operator</h2>\n" +
         table("operator", operators);
}

} // namespace kiln::gates
