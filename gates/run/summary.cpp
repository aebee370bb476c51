// The summary as JSON. JUnit: gates/run/junit.cpp.

#include "gates/run/summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kiln::gates {
namespace {

using Json = nlohmann::ordered_json;

const char* end_name(TargetEnd end) {
  switch (end) {
  case TargetEnd::kDone:
    return "done";
  case TargetEnd::kStopped:
    return "stopped";
  case TargetEnd::kInterrupted:
    return "interrupted";
  case TargetEnd::kFailed:
    return "failed";
  }
  return "";
}

double rate(const TargetSummary& target) {
  return target.seconds > 0 ? static_cast<double>(target.inputs) / target.seconds : 0;
}

Json finding_json(const FindingLine& finding) {
  Json json;
  json["identity"] = finding.identity;
  json["rule"] = finding.rule;
  json["headline"] = finding.headline;
  json["place"] = finding.place;
  json["iteration"] = finding.iteration;
  json["seen"] = finding.seen;
  json["reproduced"] = finding.reproduced;
  json["attempts"] = finding.attempts;
  json["hang"] = finding.hang;
  json["silenced"] = finding.silenced.empty() ? Json() : Json(finding.silenced);
  json["files"] = finding.files;
  json["replay"] = finding.replay;
  return json;
}

Json target_json(const TargetSummary& target) {
  Json json;
  json["name"] = target.target != nullptr ? target.target->info().name : "";
  json["end"] = end_name(target.end);
  json["inputs"] = target.inputs;
  json["seconds"] = target.seconds;
  json["cpu_seconds"] = target.cpu_seconds;
  json["inputs_per_second"] = rate(target);
  json["digest"] = fmt::format("{:016x}", target.digest);
  json["probes"] = Json::array();
  for (const ProbeLine& probe : target.probes) {
    Json line = {{"name", probe.name}, {"hits", probe.hits}};
    if (probe.hits != 0) line["first"] = probe.first;
    json["probes"].push_back(std::move(line));
  }
  json["findings"] = Json::array();
  for (const FindingLine& finding : target.findings) {
    json["findings"].push_back(finding_json(finding));
  }
  json["trouble"] = target.trouble;
  return json;
}

} // namespace

std::string summary_to_json(const RunSummary& run) {
  Json json;
  json["schema"] = "kiln-summary";
  json["version"] = kSummaryVersion;
  json["command"] = run.command;
  json["flavour"] = run.flavour;
  json["seed"] = run.seed;
  json["jobs"] = run.jobs;
  json["interrupted"] = run.interrupted;
  json["seconds"] = run.seconds;
  json["peak_worker_bytes"] = run.peak_worker_bytes;
  json["exit_code"] = status_of(run.exit_code);
  json["targets"] = Json::array();
  for (const TargetSummary& target : run.targets)
    json["targets"].push_back(target_json(target));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace kiln::gates
