// cover: what of the kernel's sources the inputs of a gate run, by clang's source-based coverage.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/many.h"
#include "gates/run/session.h"
#include "gates/support/coverage_profile.h"
#include "gates/support/screen.h"
#include "gates/support/source_tree.h"
#include "gates/support/subprocess.h"

namespace kiln::gates {

namespace {

namespace fs = std::filesystem;

constexpr const char* kMerge = "llvm-profdata-19";
constexpr const char* kCov = "llvm-cov-19";
constexpr const char* kNotTheKernel =
    "-ignore-filename-regex=^(targets|hal-host|tests|sim|generators|worlds)/|^/";

std::string missing_tool() {
  for (const char* tool : {kMerge, kCov}) {
    if (find_program(tool).empty()) {
      return fmt::format("{} is not there: install the Debian package llvm-19.", tool);
    }
  }
  return "";
}

std::vector<std::string> raw_profiles(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".profraw") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool merge(const fs::path& folder, const fs::path& merged) {
  std::vector<std::string> words = {kMerge, "merge", "-sparse", "-o", merged.string()};
  std::vector<std::string> profiles = raw_profiles(folder);
  words.insert(words.end(), profiles.begin(), profiles.end());
  return !profiles.empty() && run_tool(words).status == 0;
}

// The objects name their sources relative to the source tree.
std::vector<std::string> cov_words(const char* what, const fs::path& merged) {
  std::error_code ignored;
  return {kCov, what, fs::read_symlink("/proc/self/exe", ignored).string(),
          "-instr-profile=" + merged.string(), kNotTheKernel};
}

ExitCode report(const fs::path& folder) {
  fs::path merged = folder / "merged.profdata";
  std::string root = source_tree();
  if (!merge(folder / "raw", merged)) return fail_runner("The workers' profiles cannot be merged.");
  std::vector<std::string> words = cov_words("report", merged);
  words.push_back("-show-region-summary=false");
  ToolResult table = run_tool(words, root);
  if (table.status != 0) return fail_runner("llvm-cov-19 failed; see its message above.");
  print_block(table.output);
  words = cov_words("show", merged);
  words.insert(words.end(), {"-format=html", "-output-dir=" + (folder / "html").string()});
  if (run_tool(words, root).status != 0) return fail_runner("The annotated sources failed.");
  print_block("Annotated sources: " + (folder / "html" / "index.html").string());
  return ExitCode::kNothing;
}

} // namespace

ExitCode command_cover(const Settings& settings) {
  if (!counts_coverage()) {
    return refuse("This build counts no coverage: 'scripts/fuzz.py cover' builds the cover flavour "
                  "and uses it.");
  }
  if (std::string missing = missing_tool(); !missing.empty()) return refuse(missing);
  std::string error;
  std::vector<const sim::Target*> targets = choose_targets(settings.arguments, &error);
  if (targets.empty()) return refuse(error);
  std::error_code problem;
  fs::path folder = fs::absolute(settings.out, problem) / "cover";
  fs::remove_all(folder / "raw", problem);
  fs::create_directories(folder / "raw", problem);
  if (problem)
    return refuse("'" + folder.string() + "' cannot be made: " + problem.message() + ".");
  set_coverage_file((folder / "raw" / "%p.profraw").string());

  ManyOptions options;
  options.keep_going = true;
  ExitCode code = run_many(settings, targets, options).exit_code;
  ExitCode reported = report(folder);
  return reported == ExitCode::kNothing ? code : reported;
}

} // namespace kiln::gates
