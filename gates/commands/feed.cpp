// feed: real artefacts in place of tapes.

#include <fmt/format.h>
#include <utility>

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/judge.h"
#include "gates/run/one.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/printable.h"
#include "gates/support/read_file.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

constexpr size_t kLargestArtefact = size_t{64} << 20;

bool read_artefact(const std::string& path, std::vector<uint8_t>* bytes, std::string* error) {
  std::optional<std::string> text = read_file(path, kLargestArtefact, "an artefact", error);
  if (text.has_value()) bytes->assign(text->begin(), text->end());
  return text.has_value();
}

// A finding outweighs a failure, which outweighs a hang, which outweighs nothing.
ExitCode worse(ExitCode a, ExitCode b) {
  for (ExitCode code :
       {ExitCode::kUsage, ExitCode::kFinding, ExitCode::kInconclusive, ExitCode::kHang}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::kNothing;
}

} // namespace

ExitCode command_feed(const Settings& settings) {
  std::string error;
  const sim::Target* target = choose_target(settings.arguments[0], &error);
  if (target == nullptr) return refuse(error);
  if (target->info().feed == nullptr) return refuse(takes_no_artefact(*target));
  for (const auto& [option, file] : {std::pair("--perfetto", settings.perfetto),
                                     std::pair("--disk-image", settings.disk_image)}) {
    if (file.empty() || settings.arguments.size() == 2) continue;
    return refuse(fmt::format("{} names one file: feed one artefact at a time.", option));
  }
  std::vector<SingleJob> jobs;
  for (size_t i = 1; i < settings.arguments.size(); ++i) {
    SingleJob& job = jobs.emplace_back();
    job.target = target;
    job.origin = Origin::kFeed;
    job.name = settings.arguments[i];
    if (!read_artefact(job.name, &job.bytes, &error)) return refuse(error);
  }
  ExitCode code = ExitCode::kNothing;
  for (SingleJob& job : jobs) {
    if (interrupted()) return worse(code, ExitCode::kInconclusive);
    if (jobs.size() > 1) print_block(fmt::format("== {}", printable(job.name)));
    // First: a finding is what comes last on the screen.
    if (const char* judge = target->info().feed_judge; judge != nullptr && !settings.gdb) {
      print_block(judge_words(judge, job.name));
    }
    code = worse(code, run_one(settings, std::move(job)));
  }
  return code;
}

} // namespace kiln::gates
