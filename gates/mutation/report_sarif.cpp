#include "gates/mutation/report_sarif.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "gates/mutation/tally.h"
#include "gates/support/sha256.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::string_view kMissedName = "missed/named";

/// RFC 3986, 2.3: what may stand in a path as it is.
bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

std::string uri_of(std::string_view path) {
  std::string out;
  for (char c : path) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

/// SARIF 2.1.0, 3.11.5: braces of a message's text are doubled.
std::string message_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '{' || c == '}') out += c;
    out += c;
  }
  return out;
}

std::string rule_id(const Outcome& it) {
  return fmt::format("{}/{}", verdict_name(it.result->verdict), it.mutant->oper);
}

std::string words_of(const Outcome& it) {
  const auto& [result, mutant] = it;
  std::string change =
      *mutant->replacement == 0
          ? fmt::format("'{}' can be left out", mutant->original)
          : fmt::format("'{}' can become '{}'", mutant->original, mutant->replacement);
  return fmt::format("{} in {} and no target fails ({}; {}). {}", change, mutant->function,
                     mutant->oper, seen_words(*result, *mutant), verdict_meaning(result->verdict));
}

Json region_of(const sim::Mutant& mutant, ReportSources& sources) {
  Extent extent = extent_of(mutant, sources.file(mutant.path));
  return {{"startLine", extent.begin.line},
          {"startColumn", extent.begin.column},
          {"endLine", extent.end.line},
          {"endColumn", extent.end.column},
          {"snippet", {{"text", mutant.original}}}};
}

std::string key_of(const sim::Mutant& mutant) {
  std::string key;
  for (const char* part :
       {mutant.path, mutant.function, mutant.oper, mutant.original, mutant.replacement})
    key.append(part).push_back('\0');
  return key;
}

/// By number. The same change twice in one function is told apart by its turn; all of the table is
/// looked at, so that a run of some mutants gives them the names that a run of all does.
std::vector<std::string> fingerprints_of(const sim::MutantTable& table) {
  std::map<std::string, unsigned> turns;
  std::vector<std::string> out;
  for (const sim::Mutant& mutant : table.mutants) {
    std::string key = key_of(mutant);
    key += std::to_string(turns[key]++);
    out.push_back(sha256_hex({reinterpret_cast<const uint8_t*>(key.data()), key.size()}));
  }
  return out;
}

class Log {
 public:
  Log(const sim::MutantTable& table, ReportSources& sources)
      : fingerprints_(fingerprints_of(table)), sources_(sources) {}

  void add(const Outcome& it, const std::string& rule, std::string_view text,
           std::string_view meaning) {
    const auto& [result, mutant] = it;
    rules_.emplace(rule, meaning);
    Json place;
    place["artifactLocation"] = {{"uri", uri_of(mutant->path)}, {"uriBaseId", "SRCROOT"}};
    place["region"] = region_of(*mutant, sources_);
    Json where = {{"physicalLocation", std::move(place)}};
    where["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", mutant->function}, {"kind", "function"}}});
    Json json = {{"ruleId", rule}, {"level", "warning"}};
    json["message"] = {{"text", message_text(text)}};
    json["locations"] = Json::array({std::move(where)});
    json["partialFingerprints"] = {{"kilnMutant/v1", fingerprints_[result->number]}};
    json["properties"] = {{"mutant", result->number},
                          {"replacement", mutant->replacement},
                          {"visits", result->visits},
                          {"differs", result->differs}};
    results_.push_back(std::move(json));
  }

  std::string text() {
    Json rules = Json::array();
    std::map<std::string, size_t> index;
    for (const auto& [id, meaning] : rules_) {
      index[id] = rules.size();
      rules.push_back({{"id", id}, {"name", id}, {"shortDescription", {{"text", meaning}}}});
    }
    for (Json& result : results_)
      result["ruleIndex"] = index[result["ruleId"].get<std::string>()];
    Json driver = {{"name", "Kiln mutation testing"}, {"rules", std::move(rules)}};
    Json run = {{"tool", {{"driver", std::move(driver)}}},
                {"columnKind", "utf16CodeUnits"},
                {"results", std::move(results_)}};
    Json log = {
        {"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
    return log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::vector<std::string> fingerprints_; ///< by number
  ReportSources& sources_;
  std::map<std::string, std::string> rules_;
  Json results_ = Json::array();
};

void add_named(const NamedOutcome& it, const sim::MutantTable& table, Log& log) {
  bool lost = it.end == NamedEnd::kMissed || it.end == NamedEnd::kTooLate;
  if (!lost || it.named->number >= table.mutants.size()) return;
  const sim::NamedMutant& named = *it.named;
  std::string text = fmt::format("The bug '{}' can come back: {} must find it within {} inputs ({} "
                                 "after {}). {}",
                                 named.name, named.target, named.within, named_end_words(it.end),
                                 it.inputs, named.was);
  log.add({it.result, &table.mutants[named.number]}, std::string(kMissedName), text,
          "A bug of the catalogue that its target does not find in time.");
}

} // namespace

std::string survivors_sarif(const MutationReport& report, const sim::MutantTable& table,
                            ReportSources& sources) {
  Log log(table, sources);
  for (const Outcome& it : outcomes_of_kind(report, table, sim::MutantKind::kKernel)) {
    if (!survived(it.result->verdict)) continue;
    std::string rule =
        fmt::format("Operator {}, {}. {}", it.mutant->oper, verdict_words(it.result->verdict),
                    verdict_meaning(it.result->verdict));
    log.add(it, rule_id(it), words_of(it), rule);
  }
  for (const NamedOutcome& it : named_outcomes(report, table))
    add_named(it, table, log);
  return log.text();
}

} // namespace kiln::gates
