#include "gates/mutation/report_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "gates/mutation/tally.h"
#include "gates/mutation/text_columns.h"
#include "gates/run/progress.h"
#include "gates/support/printable.h"

namespace kiln::gates {
namespace {

using Look = TextColumns::Look;
using Cells = std::vector<std::string>;

constexpr auto kLeft = TextColumns::Side::kLeft;
constexpr auto kRight = TextColumns::Side::kRight;
/// Characters of source text that are shown of a survivor.
constexpr size_t kLongestCode = 60;

std::string shortened(std::string_view code) {
  if (code.empty()) return "(nothing)";
  if (code.size() <= kLongestCode) return printable(code);
  return printable(code.substr(0, kLongestCode - 3)) + "...";
}

Cells tally_cells(const std::string& name, const Tally& tally) {
  auto of = [&](Verdict verdict) { return std::to_string(tally.of(verdict)); };
  return {name,
          std::to_string(tally.made()),
          std::to_string(tally.killed()),
          of(Verdict::kNotReached),
          of(Verdict::kNotDifferent),
          of(Verdict::kNotNoticed),
          of(Verdict::kEquivalent),
          of(Verdict::kIdentical),
          std::to_string(tally.not_compiled),
          score_text(tally)};
}

TextColumns tally_columns(const std::string& what) {
  TextColumns columns(
      {kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kRight, kRight, kRight});
  columns.add({"", "", "", "not", "never", "not", "equiv-", "iden-", "not", ""}, Look::kDim);
  columns.add({what, "made", "killed", "reached", "different", "noticed", "alent", "tical",
               "compiled", "score"},
              Look::kDim);
  return columns;
}

std::string by_place(const Tallies& tallies, const Style& style) {
  TextColumns columns = tally_columns("place");
  for (const TallyRow& folder : tallies.folders) {
    columns.add(tally_cells(printable(folder.name) + "/", folder.tally), Look::kBold);
    for (const TallyRow& file : tallies.files) {
      if (folder_of(file.name) != folder.name) continue;
      std::string name = file.name.substr(file.name.rfind('/') + 1);
      columns.add(tally_cells("  " + printable(name), file.tally));
    }
  }
  columns.add(tally_cells("all", tallies.all), Look::kBold);
  return columns.text(style);
}

std::string by_operator(const Tallies& tallies, const Style& style) {
  TextColumns columns = tally_columns("operator");
  for (const TallyRow& row : tallies.operators)
    columns.add(tally_cells(printable(row.name), row.tally));
  return columns.text(style);
}

/// Those that the columns leave out, so that a row adds up.
std::string apart(const Tally& tally) {
  std::string out;
  for (Verdict verdict : {Verdict::kNotJudged, Verdict::kInconclusive, Verdict::kPending}) {
    if (tally.of(verdict) == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "  Besides: " : ", ", tally.of(verdict),
                       verdict_words(verdict));
  }
  return out.empty() ? out : out + "; not in the score.\n";
}

std::string by_clock(const std::vector<Outcome>& outcomes) {
  auto n = std::count_if(outcomes.begin(), outcomes.end(),
                         [](const Outcome& it) { return by_clock(*it.result); });
  if (n == 0) return "";
  return fmt::format("  Of the killed: {} by time-out, which a faster or slower machine may not "
                     "kill or kill too.\n",
                     n);
}

std::string survivor(const Outcome& it, const Style& style) {
  const sim::Mutant& mutant = *it.mutant;
  return fmt::format("  {}  {} {}\n      {} -> {}{}\n",
                     style.bold(fmt::format("{}:{}", printable(mutant.path), mutant.line)),
                     printable(mutant.oper), style.dim(fmt::format("#{}", it.result->number)),
                     shortened(mutant.original), shortened(mutant.replacement),
                     style.dim(fmt::format("  ({})", seen_words(*it.result, mutant))));
}

std::string survivors(const std::vector<Outcome>& all, const TableLook& look) {
  std::string out;
  size_t left = look.most_survivors, total = 0;
  for (Verdict verdict : kSurvivorVerdicts) {
    std::string listed;
    size_t n = 0;
    for (const Outcome& it : all) {
      if (it.result->verdict != verdict) continue;
      ++n;
      if (left == 0) continue;
      --left;
      listed += survivor(it, look.style);
    }
    total += n;
    if (listed.empty()) continue;
    out +=
        fmt::format("\n{}\n  {}\n{}",
                    look.style.head(fmt::format("Survivors, {} ({})", verdict_words(verdict), n)),
                    look.style.dim(verdict_meaning(verdict)), listed);
  }
  if (total > look.most_survivors)
    out +=
        fmt::format("  and {} more; the HTML page has all of them\n", total - look.most_survivors);
  return out;
}

std::string catalogue(const MutationReport& report, const sim::MutantTable& table,
                      const Style& style) {
  TextColumns columns({kLeft, kLeft, kLeft, kRight, kRight, kLeft});
  columns.add({"name", "kind", "target", "inputs", "allowed", ""}, Look::kDim);
  std::vector<NamedOutcome> outcomes = named_outcomes(report, table);
  for (const NamedOutcome& it : outcomes) {
    columns.add({printable(it.named->name), printable(it.named->kind), printable(it.named->target),
                 grouped(it.inputs), grouped(it.named->within),
                 std::string(named_end_words(it.end))},
                it.end == NamedEnd::kFound ? Look::kPlain : Look::kBad);
  }
  if (outcomes.empty()) return "";
  return fmt::format("\n{}\n{}", style.head("Named mutants: bugs of the past, put back"),
                     columns.text(style));
}

std::string harness(const std::vector<HarnessResult>& parts, const Style& style) {
  if (parts.empty()) return "";
  TextColumns columns({kLeft, kLeft, kRight, kRight, kLeft});
  columns.add({"without", "target", "kills", "lost", ""}, Look::kDim);
  for (const HarnessResult& part : parts) {
    std::string words = harness_words(part);
    Look look = words.starts_with("redundant") ? Look::kBold : Look::kPlain;
    columns.add({printable(part.part), part.target.empty() ? "all" : printable(part.target),
                 std::to_string(part.kills), std::to_string(part.lost), words},
                look);
  }
  return fmt::format("\n{}\n{}", style.head("Harness mutants: what is lost without each part"),
                     columns.text(style));
}

} // namespace

std::string mutation_table(const MutationReport& report, const sim::MutantTable& table,
                           const TableLook& look) {
  const Style& style = look.style;
  Tallies tallies = tally_of(report, table);
  std::vector<Outcome> kernel = outcomes_of_kind(report, table, sim::MutantKind::kKernel);
  std::string out = fmt::format(
      "{}\n", style.head(fmt::format("Mutants: {}, seed {}, at most {} inputs a target; "
                                     "{}, {:.0f} mutants a minute",
                                     tallies.all.made(), report.seed, grouped(report.budget),
                                     duration_text(report.seconds), report.mutants_per_minute)));
  if (tallies.all.made() + tallies.all.not_compiled != 0) {
    out += "\n" + by_place(tallies, style) + apart(tallies.all) + by_clock(kernel);
    out += "\n" + by_operator(tallies, style);
  }
  out += survivors(kernel, look);
  return out + catalogue(report, table, style) + harness(report.harness, style);
}

std::string mutation_table(const MutationReport& report, const sim::MutantTable& table) {
  return mutation_table(report, table, {.style = Style(wants_colour(STDOUT_FILENO))});
}

} // namespace kiln::gates
