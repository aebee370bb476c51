#include "gates/mutation/report_matrix.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "gates/mutation/tally.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::ordered_json;

struct Sample {
  uint64_t tried = 0;
  std::vector<uint64_t> found;
};

/// The smallest value that at least `percent` of all are not above; `sorted` is not empty.
uint64_t nearest_rank(const std::vector<uint64_t>& sorted, size_t percent) {
  size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<size_t>(rank, 1) - 1];
}

Json inputs_json(const InputsToFind& inputs) {
  Json json = {{"tried", inputs.tried}, {"found", inputs.found}};
  if (inputs.found == 0) return json;
  json["median"] = inputs.median;
  json["p90"] = inputs.p90;
  json["most"] = inputs.most;
  return json;
}

Json rows_json(const std::vector<MatrixRow>& rows, const char* what) {
  Json json = Json::array();
  for (const MatrixRow& row : rows) {
    Json line = {{what, row.name}};
    if (!row.strategy.empty()) line["strategy"] = row.strategy;
    line.update(inputs_json(row.inputs));
    json.push_back(std::move(line));
  }
  return json;
}

Json mutant_json(const Outcome& it) {
  Json tries = Json::array();
  for (const MutantTry& go : tries_of(*it.result)) {
    tries.push_back({{"target", go.target},
                     {"strategy", sim::strategy_name(go.strategy)},
                     {"inputs", go.inputs},
                     {"found", go.found}});
  }
  return {{"number", it.result->number},
          {"path", it.mutant->path},
          {"line", it.mutant->line},
          {"function", it.mutant->function},
          {"operator", it.mutant->oper},
          {"original", it.mutant->original},
          {"replacement", it.mutant->replacement},
          {"verdict", verdict_name(it.result->verdict)},
          {"tries", std::move(tries)}};
}

} // namespace

const std::vector<MutantTry>& tries_of(const MutantResult& result) {
  return result.alone.empty() ? result.tries : result.alone;
}

InputsToFind inputs_to_find(std::vector<uint64_t> found, uint64_t tried) {
  InputsToFind inputs{.tried = tried, .found = found.size()};
  if (found.empty()) return inputs;
  std::sort(found.begin(), found.end());
  inputs.median = nearest_rank(found, 50);
  inputs.p90 = nearest_rank(found, 90);
  inputs.most = found.back();
  return inputs;
}

std::vector<MatrixRow> matrix_by_target(const MutationReport& report,
                                        const sim::MutantTable& table) {
  std::map<std::pair<std::string, std::string>, Sample> samples;
  for (const Outcome& it : outcomes_without_harness(report, table)) {
    for (const MutantTry& go : tries_of(*it.result)) {
      Sample& sample = samples[{go.target, std::string(sim::strategy_name(go.strategy))}];
      ++sample.tried;
      if (go.found) sample.found.push_back(go.inputs);
    }
  }
  std::vector<MatrixRow> rows;
  for (const auto& [name, sample] : samples)
    rows.push_back({name.first, name.second, inputs_to_find(sample.found, sample.tried)});
  return rows;
}

std::vector<MatrixRow> matrix_by_operator(const MutationReport& report,
                                          const sim::MutantTable& table) {
  std::map<std::string, Sample> samples;
  for (const Outcome& it : outcomes_of_kind(report, table, sim::MutantKind::kKernel)) {
    if (!counts(it.result->verdict)) continue;
    Sample& sample = samples[it.mutant->oper];
    ++sample.tried;
    if (it.result->verdict == Verdict::kKilled) sample.found.push_back(it.result->inputs);
  }
  std::vector<MatrixRow> rows;
  for (const auto& [name, sample] : samples)
    rows.push_back({name, "", inputs_to_find(sample.found, sample.tried)});
  return rows;
}

std::string matrix_json(const MutationReport& report, const sim::MutantTable& table) {
  Json json;
  json["schema"] = "kiln-mutation-matrix";
  json["version"] = 1;
  json["seed"] = report.seed;
  json["budget"] = report.budget;
  json["targets"] = rows_json(matrix_by_target(report, table), "target");
  json["operators"] = rows_json(matrix_by_operator(report, table), "operator");
  json["mutants"] = Json::array();
  for (const Outcome& it : outcomes_without_harness(report, table))
    json["mutants"].push_back(mutant_json(it));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace kiln::gates
