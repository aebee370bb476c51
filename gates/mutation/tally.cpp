#include "gates/mutation/tally.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

namespace kiln::gates {
namespace {

using Rows = std::map<std::string, Tally, std::less<>>;

std::vector<TallyRow> listed(Rows& rows) {
  std::vector<TallyRow> out;
  for (auto& [name, tally] : rows)
    out.push_back({name, tally});
  return out;
}

class Counter {
 public:
  /// Calls `count` with every tally that a place belongs to.
  template <typename Count> void at(std::string_view path, std::string_view oper, Count count) {
    count(out_.all);
    count(folders_[folder_of(path)]);
    count(files_[std::string(path)]);
    count(operators_[std::string(oper)]);
  }

  Tallies take() {
    out_.folders = listed(folders_);
    out_.files = listed(files_);
    out_.operators = listed(operators_);
    return std::move(out_);
  }

 private:
  Tallies out_;
  Rows folders_, files_, operators_;
};

} // namespace

uint64_t Tally::made() const {
  return std::accumulate(by_verdict.begin(), by_verdict.end(), uint64_t{0});
}

uint64_t Tally::survived() const {
  uint64_t sum = 0;
  for (Verdict verdict : kSurvivorVerdicts)
    sum += of(verdict);
  return sum;
}

int score_permille(const Tally& tally) {
  uint64_t counted = tally.killed() + tally.survived();
  return counted == 0 ? -1 : static_cast<int>(tally.killed() * 1000 / counted);
}

std::string score_text(const Tally& tally) {
  int score = score_permille(tally);
  return score < 0 ? "-" : fmt::format("{}.{} %", score / 10, score % 10);
}

Tallies tally_of(const MutationReport& report, const sim::MutantTable& table) {
  Counter counter;
  for (const Outcome& it : outcomes_of_kind(report, table, sim::MutantKind::kKernel)) {
    counter.at(it.mutant->path, it.mutant->oper,
               [&](Tally& tally) { ++tally.by_verdict[static_cast<size_t>(it.result->verdict)]; });
  }
  for (const sim::UnmadeMutant* place : unmade_of(report, table)) {
    counter.at(place->path, place->oper, [](Tally& tally) { ++tally.not_compiled; });
  }
  return counter.take();
}

std::string folder_of(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "." : std::string(path.substr(0, slash));
}

std::vector<Outcome> outcomes_of_kind(const MutationReport& report, const sim::MutantTable& table,
                                      sim::MutantKind kind) {
  std::vector<Outcome> out;
  for (const MutantResult& result : report.results) {
    if (result.number >= table.mutants.size()) continue;
    const sim::Mutant& mutant = table.mutants[result.number];
    if (mutant.kind == kind) out.push_back({&result, &mutant});
  }
  return out;
}

std::vector<Outcome> outcomes_without_harness(const MutationReport& report,
                                              const sim::MutantTable& table) {
  std::vector<Outcome> all = outcomes_of_kind(report, table, sim::MutantKind::kKernel);
  std::vector<Outcome> named = outcomes_of_kind(report, table, sim::MutantKind::kNamed);
  all.insert(all.end(), named.begin(), named.end());
  return all;
}

std::vector<const sim::UnmadeMutant*> unmade_of(const MutationReport& report,
                                                const sim::MutantTable& table) {
  std::vector<Outcome> outcomes = outcomes_of_kind(report, table, sim::MutantKind::kKernel);
  auto made = std::count_if(table.mutants.begin(), table.mutants.end(), [](const auto& mutant) {
    return mutant.kind == sim::MutantKind::kKernel;
  });
  bool whole = std::cmp_equal(outcomes.size(), made);
  std::set<std::string_view> files;
  for (const Outcome& it : outcomes)
    files.insert(it.mutant->path);
  std::vector<const sim::UnmadeMutant*> out;
  for (const sim::UnmadeMutant& place : table.unmade)
    if (whole || files.contains(place.path)) out.push_back(&place);
  return out;
}

} // namespace kiln::gates
