#include "gates/mutation/report_elements.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "gates/mutation/tally.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::ordered_json;

/// Scores below the first are red in a viewer, from the second on green.
constexpr int kLow = 80;
constexpr int kHigh = 95;

const char* language_of(std::string_view path) { return path.ends_with(".c") ? "c" : "cpp"; }

Json position_json(const Position& position) {
  return {{"line", position.line}, {"column", position.column}};
}

Json location_json(const Extent& extent) {
  return {{"start", position_json(extent.begin)}, {"end", position_json(extent.end)}};
}

std::string reason_of(const MutantResult& result, const sim::Mutant& mutant) {
  if (result.verdict == Verdict::kKilled) {
    std::string place = result.place.empty() ? "" : fmt::format(" at {}", result.place);
    return fmt::format("{}: {}{}, after {} inputs", sim::rule_name(result.rule), result.headline,
                       place, result.inputs);
  }
  std::string words{verdict_words(result.verdict)};
  if (survived(result.verdict)) words += "; " + seen_words(result, mutant);
  return result.reason.empty() ? words : words + ": " + result.reason;
}

Json targets_tried(const MutantResult& result) {
  Json names = Json::array();
  for (const MutantTry& go : result.tries)
    if (std::find(names.begin(), names.end(), go.target) == names.end()) names.push_back(go.target);
  return names;
}

class Report {
 public:
  Report(const MutationReport& report, const sim::MutantTable& table, ReportSources& sources)
      : report_(report), table_(table), sources_(sources) {}

  std::string text() {
    for (const Outcome& it : outcomes_of_kind(report_, table_, sim::MutantKind::kKernel))
      add(it, it.mutant->oper);
    for (const NamedOutcome& it : named_outcomes(report_, table_)) {
      if (it.named->number >= table_.mutants.size()) continue;
      add({it.result, &table_.mutants[it.named->number]}, it.named->name, it.named->was);
    }
    add_unmade();
    Json json;
    json["schemaVersion"] = "2";
    json["thresholds"] = {{"high", kHigh}, {"low", kLow}};
    json["files"] = std::move(files_);
    json["testFiles"] = test_files();
    json["framework"] = {{"name", "Kiln"}};
    json["performance"] = {{"setup", 0}, {"initialRun", 0}, {"mutation", report_.seconds * 1000}};
    json["config"] = config();
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  /// The file's entry, made when it is the first of its mutants.
  Json& mutants_of(const char* path) {
    Json& file = files_[path];
    if (file.is_null()) {
      file = {{"language", language_of(path)},
              {"source", sources_.file(path).text},
              {"mutants", Json::array()}};
    }
    return file["mutants"];
  }

  void add(const Outcome& it, std::string_view mutator, std::string_view description = "") {
    const auto& [result, mutant] = it;
    Json json;
    json["id"] = std::to_string(result->number);
    json["mutatorName"] = mutator;
    json["replacement"] = mutant->replacement;
    if (!description.empty()) json["description"] = description;
    json["location"] = location_json(extent_of(*mutant, sources_.file(mutant->path)));
    json["status"] = elements_status(*result);
    json["statusReason"] = reason_of(*result, *mutant);
    json["coveredBy"] = targets_tried(*result);
    json["killedBy"] = Json::array();
    if (result->verdict == Verdict::kKilled) json["killedBy"].push_back(result->target);
    json["testsCompleted"] = json["coveredBy"].size();
    mutants_of(mutant->path).push_back(std::move(json));
    for (const MutantTry& go : result->tries)
      targets_.insert(go.target);
    if (!result->target.empty()) targets_.insert(result->target);
  }

  void add_unmade() {
    for (const sim::UnmadeMutant* place : unmade_of(report_, table_)) {
      Extent extent = extent_of(*place, sources_.file(place->path));
      mutants_of(place->path)
          .push_back({{"id", fmt::format("unmade-{}", place - table_.unmade.data())},
                      {"mutatorName", place->oper},
                      {"location", location_json(extent)},
                      {"status", "CompileError"},
                      {"statusReason", place->reason}});
    }
  }

  Json test_files() const {
    Json files = Json::object();
    for (const std::string& target : targets_)
      files["targets/" + folder_of(target)]["tests"].push_back({{"id", target}, {"name", target}});
    return files;
  }

  Json config() const {
    return {{"seed", report_.seed},
            {"budget", report_.budget},
            {"mutantsPerMinute", report_.mutants_per_minute},
            {"missingSources", sources_.missing()}};
  }

  const MutationReport& report_;
  const sim::MutantTable& table_;
  ReportSources& sources_;
  Json files_ = Json::object();
  std::set<std::string> targets_;
};

} // namespace

std::string_view elements_status(const MutantResult& result) {
  switch (result.verdict) {
  case Verdict::kKilled:
    return result.rule == sim::Rule::kHang ? "Timeout" : "Killed";
  case Verdict::kNotReached:
    return "NoCoverage";
  case Verdict::kNotDifferent:
  case Verdict::kNotNoticed:
    return "Survived";
  case Verdict::kEquivalent:
  case Verdict::kIdentical:
  case Verdict::kNotJudged:
    return "Ignored";
  case Verdict::kInconclusive:
    return "RuntimeError";
  case Verdict::kPending:
    return "Pending";
  }
  return "Pending";
}

std::string mutation_elements_json(const MutationReport& report, const sim::MutantTable& table,
                                   ReportSources& sources) {
  return Report(report, table, sources).text();
}

} // namespace kiln::gates
