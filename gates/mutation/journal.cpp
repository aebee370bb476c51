#include "gates/mutation/journal.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "gates/mutation/tally.h"

namespace kiln::gates {

namespace {

using Json = nlohmann::ordered_json;

constexpr char kFormat[] = "kiln mutation results 1";

std::string header_line(const std::string& identity) {
  return Json{{"format", kFormat}, {"of", identity}}.dump();
}

Json json_of(const MutantTry& attempt) {
  return {{"target", attempt.target},
          {"strategy", sim::strategy_name(attempt.strategy)},
          {"inputs", attempt.inputs},
          {"found", attempt.found}};
}

MutantTry try_of(const Json& json) {
  MutantTry attempt;
  attempt.target = json.at("target");
  sim::strategy_by_name(json.at("strategy").get<std::string>(), &attempt.strategy);
  attempt.inputs = json.at("inputs");
  attempt.found = json.at("found");
  return attempt;
}

bool verdict_by_name(std::string_view name, Verdict* out) {
  for (size_t i = 0; i < kVerdicts; ++i) {
    if (verdict_name(static_cast<Verdict>(i)) != name) continue;
    *out = static_cast<Verdict>(i);
    return true;
  }
  return false;
}

/// The text of the mutant, for people who read the file.
std::string text_of(uint32_t number) {
  std::span<const sim::Mutant> mutants = sim::mutant_table().mutants;
  if (number >= mutants.size()) return "";
  const sim::Mutant& mutant = mutants[number];
  return fmt::format("{}:{}:{} {} {} => {}", mutant.path, mutant.line, mutant.column, mutant.oper,
                     mutant.original, mutant.replacement);
}

} // namespace

std::string result_to_line(const MutantResult& result) {
  Json json{{"mutant", result.number},
            {"text", text_of(result.number)},
            {"verdict", verdict_name(result.verdict)}};
  if (result.verdict == Verdict::kKilled) {
    json["target"] = result.target;
    json["inputs"] = result.inputs;
    json["rule"] = sim::rule_name(result.rule);
    json["headline"] = result.headline;
    json["place"] = result.place;
    json["tape"] = result.tape;
  }
  json["visits"] = result.visits;
  json["differs"] = result.differs;
  json["tries"] = Json::array();
  for (const MutantTry& attempt : result.tries)
    json["tries"].push_back(json_of(attempt));
  if (!result.reason.empty()) json["reason"] = result.reason;
  if (result.compared) json["compared"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool result_from_line(const std::string& line, MutantResult* result) {
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return false;
  try {
    MutantResult read;
    read.number = json.at("mutant");
    if (!verdict_by_name(json.at("verdict").get<std::string>(), &read.verdict)) return false;
    read.target = json.value("target", "");
    read.inputs = json.value("inputs", uint64_t{0});
    sim::rule_by_name(json.value("rule", ""), &read.rule);
    read.headline = json.value("headline", "");
    read.place = json.value("place", "");
    read.tape = json.value("tape", "");
    read.visits = json.at("visits");
    read.differs = json.at("differs");
    for (const Json& attempt : json.at("tries"))
      read.tries.push_back(try_of(attempt));
    read.reason = json.value("reason", "");
    read.compared = json.value("compared", false);
    *result = std::move(read);
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

std::unique_ptr<Journal> Journal::open(const std::string& path, const std::string& identity,
                                       std::string* error) {
  std::unique_ptr<Journal> journal(new Journal);
  std::ifstream old(path);
  std::string line;
  if (std::getline(old, line) && line == header_line(identity)) {
    MutantResult result;
    while (std::getline(old, line)) {
      if (result_from_line(line, &result)) journal->known_[result.number] = result;
    }
  }
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  // Written anew: a torn last line would spoil the one after it.
  journal->file_.reset(std::fopen(path.c_str(), "we"));
  if (journal->file_ == nullptr) {
    *error = fmt::format("Results cannot be kept in '{}' ({}): give a folder that can be written "
                         "to with --out DIR.",
                         path, std::strerror(errno));
    return nullptr;
  }
  std::string text = header_line(identity) + "\n";
  std::fputs(text.c_str(), journal->file_.get());
  std::map<uint32_t, MutantResult> sorted(journal->known_.begin(), journal->known_.end());
  for (const auto& [number, result] : sorted)
    journal->add(result);
  return journal;
}

bool Journal::add(const MutantResult& result) {
  std::string text = result_to_line(result) + "\n";
  return std::fputs(text.c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0;
}

} // namespace kiln::gates
