#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "gates/mutation/report_matrix.h"
#include "gates/mutation/tally.h"
#include "gates/support/printable.h"

namespace kiln::gates {
namespace {

using Strategies = std::set<sim::StrategyKind>;

/// For a cell of a table: '|' would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// The fence is longer than any run of backticks in the text (CommonMark 0.31, 6.1).
std::string code(std::string_view text) {
  if (text.empty()) return "nothing";
  size_t run = 0, longest = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(longest + 1, '`');
  std::string_view pad = longest == 0 ? "" : " ";
  return fmt::format("{0}{1}{2}{1}{0}", fence, pad, cell(text));
}

std::string head(const std::vector<std::string>& columns) {
  std::string names, rule;
  for (const std::string& column : columns) {
    names += fmt::format("| {} ", column);
    rule += "| --- ";
  }
  return fmt::format("{}|\n{}|\n", names, rule);
}

std::string figures(const InputsToFind& inputs) {
  std::string line = fmt::format("{} | {} |", inputs.tried, inputs.found);
  if (inputs.found == 0) return line + " - | - | - |\n";
  return line + fmt::format(" {} | {} | {} |\n", inputs.median, inputs.p90, inputs.most);
}

std::string by_target(const MutationReport& report, const sim::MutantTable& table) {
  std::string out = "\n## By target and strategy\n\n" +
                    head({"target", "strategy", "tried", "found", "median", "90 %", "most"});
  for (const MatrixRow& row : matrix_by_target(report, table))
    out += fmt::format("| {} | {} | {}", cell(row.name), row.strategy, figures(row.inputs));
  return out;
}

std::string by_operator(const MutationReport& report, const sim::MutantTable& table) {
  std::string out =
      "\n## By operator\n\n" + head({"operator", "mutants", "found", "median", "90 %", "most"});
  for (const MatrixRow& row : matrix_by_operator(report, table))
    out += fmt::format("| {} | {}", cell(row.name), figures(row.inputs));
  return out;
}

/// "boot/fdt 37, boot/limine -".
std::string tries_cell(const MutantResult& result, sim::StrategyKind strategy) {
  std::string out;
  for (const MutantTry& go : tries_of(result)) {
    if (go.strategy != strategy) continue;
    std::string inputs = go.found ? std::to_string(go.inputs) : "-";
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", cell(go.target), inputs);
  }
  return out;
}

std::string by_mutant(const std::vector<Outcome>& mutants, const Strategies& strategies) {
  std::vector<std::string> columns = {"mutant", "place", "operator", "change", "verdict"};
  for (sim::StrategyKind strategy : strategies)
    columns.emplace_back(sim::strategy_name(strategy));
  std::string out =
      "\n## By mutant\n\nA number is the inputs that the target needed; - says that it "
      "did not find it.\n\n" +
      head(columns);
  for (const Outcome& it : mutants) {
    const sim::Mutant& mutant = *it.mutant;
    out += fmt::format("| {} | {}:{} | {} | {} to {} | {} |", it.result->number, cell(mutant.path),
                       mutant.line, cell(mutant.oper), code(mutant.original),
                       code(mutant.replacement), verdict_words(it.result->verdict));
    for (sim::StrategyKind strategy : strategies)
      out += fmt::format(" {} |", tries_cell(*it.result, strategy));
    out += "\n";
  }
  return out;
}

} // namespace

std::string matrix_markdown(const MutationReport& report, const sim::MutantTable& table) {
  std::vector<Outcome> mutants = outcomes_without_harness(report, table);
  Strategies strategies;
  for (const Outcome& it : mutants)
    for (const MutantTry& go : tries_of(*it.result))
      strategies.insert(go.strategy);
  return fmt::format("# Mutants by target and strategy\n\nSeed {}, at most {} inputs a target. "
                     "Median and 90 % are of inputs to find.\n",
                     report.seed, report.budget) +
         by_target(report, table) + by_operator(report, table) + by_mutant(mutants, strategies);
}

} // namespace kiln::gates
