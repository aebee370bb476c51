#include "gates/desk/saved_findings.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gates/desk/joined_finding.h"
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
  rerun.same_digest = result.done.digest != 0 &&
                      fmt::format("{:016x}", result.done.digest) == bundle.observed.digest;
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

// The target and the bytes of a saved tape; false, with the reason in *rerun.
bool tape_of(const std::string& harness, const std::string& hex, JoinedTape* tape, Rerun* rerun) {
  tape->target = sim::Target::find(harness);
  if (tape->target == nullptr) {
    *rerun = cannot(Still::kNoTarget, "there is no target '" + harness + "'");
    return false;
  }
  std::string error;
  std::optional<std::vector<uint8_t>> bytes = parse_hex(hex, &error);
  if (bytes.has_value()) {
    tape->tape = std::move(*bytes);
  } else {
    *rerun = cannot(Still::kFailed, error);
  }
  return bytes.has_value();
}

Rerun join_again(const Bundle& bundle, Lab& lab, Symbolizer& symbolizer) {
  std::vector<JoinedTape> tapes;
  for (const BundleTape& saved : bundle.joined) {
    Rerun rerun;
    JoinedTape& tape = tapes.emplace_back();
    if (!tape_of(saved.harness, saved.hex, &tape, &rerun)) return rerun;
    tape.source = {tape.target->info().name, saved.seed, saved.iteration};
  }
  std::string trouble;
  std::optional<JoinedCycle> cycle = join_tapes(lab, tapes, &trouble);
  if (!trouble.empty()) return cannot(Still::kFailed, trouble);
  LabResult result;
  result.done.found = cycle.has_value();
  if (cycle.has_value()) result.done.finding = finding_of(*cycle);
  return judge_result(bundle, result, symbolizer);
}

} // namespace

Rerun run_again(const Bundle& bundle, Lab& lab, Symbolizer& symbolizer) {
  if (!bundle.joined.empty()) return join_again(bundle, lab, symbolizer);
  if (bundle.runtime.origin == "feed" || bundle.runtime.origin == "gate") {
    return cannot(Still::kNoInput, "it has no tape");
  }
  Rerun rerun;
  JoinedTape tape;
  if (!tape_of(bundle.target.harness, bundle.input.hex, &tape, &rerun)) return rerun;
  SingleJob job;
  job.origin = Origin::kTape;
  job.target = tape.target;
  job.bytes = std::move(tape.tape);
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
