#include "gates/mutation/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "gates/mutation/tally.h"
#include "gates/support/atomic_file.h"
#include "gates/support/sha256.h"

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

/// Anything else (a fraction, a negative number, text) throws: the line is not one of ours.
uint64_t whole(const Json& json) { return json.get_ref<const Json::number_unsigned_t&>(); }

MutantTry try_of(const Json& json) {
  MutantTry attempt;
  attempt.target = json.at("target");
  sim::strategy_by_name(json.at("strategy").get<std::string>(), &attempt.strategy);
  attempt.inputs = whole(json.at("inputs"));
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

std::string journal_path(const std::string& folder, const std::string& identity) {
  std::string sum =
      sha256_hex({reinterpret_cast<const uint8_t*>(identity.data()), identity.size()});
  return fmt::format("{}/results-{}.jsonl", folder, sum.substr(0, 8));
}

void remove_old_journals(const std::string& folder) {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> journals;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    std::string name = entry.path().filename().string();
    if (!name.starts_with("results-") || !name.ends_with(".jsonl")) continue;
    journals.emplace_back(entry.last_write_time(problem), entry.path());
  }
  std::sort(journals.rbegin(), journals.rend());
  for (size_t i = kKeptJournals; i < journals.size(); ++i)
    std::filesystem::remove(journals[i].second, problem);
}

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
    if (result.joined) json["joined"] = true;
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
    const uint64_t number = whole(json.at("mutant"));
    if (number > UINT32_MAX) return false;
    read.number = static_cast<uint32_t>(number);
    if (!verdict_by_name(json.at("verdict").get<std::string>(), &read.verdict)) return false;
    read.target = json.value("target", "");
    if (json.contains("inputs")) read.inputs = whole(json.at("inputs"));
    sim::rule_by_name(json.value("rule", ""), &read.rule);
    read.headline = json.value("headline", "");
    read.place = json.value("place", "");
    read.tape = json.value("tape", "");
    read.joined = json.value("joined", false);
    read.visits = whole(json.at("visits"));
    read.differs = whole(json.at("differs"));
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
  std::error_code not_there;
  std::ifstream old; // a pipe would keep the reader waiting
  if (std::filesystem::is_regular_file(path, not_there)) old.open(path);
  std::string line;
  if (std::getline(old, line) && line == header_line(identity)) {
    MutantResult result;
    while (std::getline(old, line)) {
      if (result_from_line(line, &result)) journal->known_[result.number] = result;
    }
  }
  // Written anew: a torn last line would spoil the one after it.
  std::string text = header_line(identity) + "\n";
  std::map<uint32_t, MutantResult> sorted(journal->known_.begin(), journal->known_.end());
  for (const auto& [number, result] : sorted)
    text += result_to_line(result) + "\n";
  std::string why;
  if (write_file_atomically(path, text, &why)) {
    journal->file_.reset(std::fopen(path.c_str(), "ae"));
    why = fmt::format("cannot open '{}': {}", path, std::strerror(errno));
  }
  if (journal->file_ != nullptr) return journal;
  *error = fmt::format("Results cannot be kept ({}): give a folder that can be written to with "
                       "--out DIR.",
                       why);
  return nullptr;
}

bool Journal::add(const MutantResult& result) {
  std::string text = result_to_line(result) + "\n";
  return std::fputs(text.c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0;
}

} // namespace kiln::gates
