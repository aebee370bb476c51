// corpus: every tape in a folder, in the order of the files' names.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/desk/finding_desk.h"
#include "gates/run/many.h"
#include "gates/run/one.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

namespace fs = std::filesystem;

struct Folder {
  std::vector<std::string> tapes; ///< by name
  size_t passed_over = 0;         ///< beside a .hex of the same name
};

bool list_files(const std::string& folder, std::vector<std::string>* files, std::string* error) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    std::error_code unknown; // a link that leads nowhere is no tape
    if (entry.is_regular_file(unknown)) files->push_back(entry.path().string());
  }
  std::sort(files->begin(), files->end());
  if (problem) *error = "'" + folder + "' cannot be listed: " + problem.message() + ".";
  return !problem;
}

/// A finding is saved as a tape with a bundle and a report beside it.
bool belongs_to_a_tape(const std::vector<std::string>& sorted, const fs::path& file) {
  bool sibling = file.extension() == ".json" || file.extension() == ".txt";
  std::string tape = fs::path(file).replace_extension(".hex").string();
  return sibling && std::binary_search(sorted.begin(), sorted.end(), tape);
}

bool list_tapes(const Settings& settings, Folder* folder, std::string* error) {
  std::vector<std::string> files;
  if (!list_files(settings.arguments[1], &files, error)) return false;
  for (const std::string& file : files) {
    if (!settings.raw && belongs_to_a_tape(files, file)) {
      ++folder->passed_over;
    } else {
      folder->tapes.push_back(file);
    }
  }
  return true;
}

Settings format_of(Settings settings, const std::string& file) {
  settings.raw = settings.raw || !file.ends_with(".hex");
  return settings;
}

/// All of them before the first is run: none is lost to a bad one behind it.
bool read_tapes(const Settings& settings, const std::vector<std::string>& files,
                std::vector<std::vector<uint8_t>>* tapes, std::string* error) {
  for (const std::string& file : files) {
    if (!read_input_file(format_of(settings, file), file, &tapes->emplace_back(), error)) {
      return false;
    }
  }
  return true;
}

} // namespace

ExitCode command_corpus(const Settings& settings) {
  std::string error;
  Folder folder;
  std::vector<std::vector<uint8_t>> tapes;
  const sim::Target* target = choose_target(settings.arguments[0], &error);
  bool ready = target != nullptr && list_tapes(settings, &folder, &error) &&
               read_tapes(settings, folder.tapes, &tapes, &error) &&
               prepare_out_folder(settings, &error);
  if (!ready) return refuse(error);
  if (folder.passed_over > 0) {
    print_block(fmt::format("{} of {} files passed over: each lies beside a tape of the same name.",
                            folder.passed_over, folder.passed_over + folder.tapes.size()));
  }
  watch_for_interrupts();
  Pool pool = make_pool(settings);
  FindingDesk desk(settings, pool, KnownFindings());
  Lab lab(pool);
  RunSummary summary;
  TargetSummary& counted = summary.targets.emplace_back();
  counted.target = target;
  for (std::vector<uint8_t>& tape : tapes) {
    if (interrupted()) break;
    SingleJob job;
    job.target = target;
    job.origin = Origin::kTape;
    job.bytes = std::move(tape);
    LabResult result = lab.run(job);
    if (result.failed) return fail_runner(result.trouble);
    ++counted.inputs;
    if (result.done.found) desk.take(found_of(job, result));
  }
  counted.findings = desk.lines_of(target, {});
  summary.interrupted = interrupted();
  print_block(fmt::format("{} of {} tapes run, {} findings.", counted.inputs, folder.tapes.size(),
                          counted.findings.size()));
  return exit_code_of(summary, false);
}

} // namespace kiln::gates
