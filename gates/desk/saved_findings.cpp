#include "gates/desk/saved_findings.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gates/finding/identity.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

namespace {

// An identity less its place's line, which moves with edits above it.
std::string without_line(const std::string& identity) {
  size_t hash = identity.rfind('#');
  size_t colon = hash == std::string::npos ? hash : identity.rfind(':', hash);
  if (colon == std::string::npos || colon < identity.find('@')) return identity;
  return identity.substr(0, colon) + identity.substr(hash);
}

Rerun cannot(Still still, std::string why) { return {still, false, std::move(why)}; }

Rerun judge_result(const Bundle& bundle, const LabResult& result, Symbolizer& symbolizer) {
  Rerun rerun;
  rerun.same_digest = fmt::format("{:016x}", result.done.digest) == bundle.observed.digest;
  if (!result.done.found) {
    rerun.still = Still::kGone;
    return rerun;
  }
  Identity now = identify(result.done.finding, symbolizer);
  bool same = without_line(now.text()) == without_line(bundle.observed.identity);
  rerun.still = same ? Still::kShows : Still::kShowsOther;
  rerun.said = fmt::format("{}: {}", now.text(), result.done.finding.headline);
  return rerun;
}

} // namespace

Rerun run_again(const Bundle& bundle, Lab& lab, Symbolizer& symbolizer) {
  if (bundle.runtime.origin == "feed" || bundle.runtime.origin == "gate") {
    return cannot(Still::kNoInput, "it has no tape");
  }
  SingleJob job;
  job.origin = Origin::kTape;
  job.target = sim::Target::find(bundle.target.harness);
  if (job.target == nullptr) {
    return cannot(Still::kNoTarget, "there is no target '" + bundle.target.harness + "'");
  }
  std::string error;
  std::optional<std::vector<uint8_t>> tape = parse_hex(bundle.input.hex, &error);
  if (!tape.has_value()) return cannot(Still::kFailed, error);
  job.bytes = std::move(*tape);
  LabResult result = lab.run_alone(job);
  if (result.failed) return cannot(Still::kFailed, result.trouble);
  return judge_result(bundle, result, symbolizer);
}

const char* still_text(Still still) {
  switch (still) {
  case Still::kShows:
    return "still shows";
  case Still::kShowsOther:
    return "shows another finding";
  case Still::kGone:
    return "gone";
  case Still::kNoTarget:
    return "no such target";
  case Still::kNoInput:
    return "not run";
  case Still::kFailed:
    return "could not be run";
  }
  return "";
}

bool list_bundles(const std::string& folder, std::vector<std::string>* files, std::string* error) {
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    std::error_code unknown; // a link that leads nowhere is no bundle
    bool is_file = entry.is_regular_file(unknown);
    if (is_file && entry.path().extension() == ".json") files->push_back(entry.path().string());
  }
  std::sort(files->begin(), files->end());
  if (problem) *error = "'" + folder + "' cannot be listed: " + problem.message() + ".";
  return !problem;
}

} // namespace kiln::gates
