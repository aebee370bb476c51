// cover: what of the kernel's sources the inputs of a gate run, by clang's source-based coverage.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/report/region_coverage.h"
#include "gates/run/many.h"
#include "gates/run/session.h"
#include "gates/support/atomic_file.h"
#include "gates/support/coverage_profile.h"
#include "gates/support/screen.h"
#include "gates/support/source_tree.h"
#include "gates/support/subprocess.h"

namespace kiln::gates {

namespace {

namespace fs = std::filesystem;

constexpr const char* kMerge = "llvm-profdata-19";
constexpr const char* kCov = "llvm-cov-19";
// The folders of the source tree that are no kernel's.
constexpr const char* kNotTheKernel = "(targets|hal-host|tests|sim|generators|worlds)/";

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

/// For a POSIX extended regular expression.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.[]|()?*+{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::vector<std::string> cov_words(const char* what, const fs::path& merged,
                                   const std::string& root) {
  std::error_code ignored;
  return {kCov, what, fs::read_symlink("/proc/self/exe", ignored).string(),
          "-instr-profile=" + merged.string(),
          fmt::format("-ignore-filename-regex=^{}/{}|^/usr/", quoted(root), kNotTheKernel)};
}

/// The table of regions, with the list of those that never ran in a file beside it.
ExitCode report_regions(const fs::path& folder, const fs::path& merged, const std::string& root) {
  std::vector<std::string> words = cov_words("export", merged, root);
  words.insert(words.end(), {"-format=text", "-skip-branches"});
  const ToolResult exported = run_tool(words, root);
  if (exported.status != 0) return fail_runner("llvm-cov-19 failed; see its message above.");
  std::string error;
  const std::vector<FileCoverage> files = read_region_coverage(exported.output, root, &error);
  if (files.empty()) {
    return fail_runner(error.empty() ? "No source of the kernel counts its coverage." : error);
  }
  const std::string text = describe_region_coverage(files, root);
  const std::string list = (folder / "regions.md").string();
  if (!write_file_atomically(list, text, &error)) return fail_runner(error);
  print_block(text.substr(0, text.find("\n## ")) + "\n");
  print_block("Regions that never ran: " + list);
  return ExitCode::kNothing;
}

ExitCode report(const fs::path& folder) {
  fs::path merged = folder / "merged.profdata";
  std::string root = source_tree();
  if (!merge(folder / "raw", merged)) return fail_runner("The workers' profiles cannot be merged.");
  if (ExitCode code = report_regions(folder, merged, root); code != ExitCode::kNothing) return code;
  std::vector<std::string> words = cov_words("show", merged, root);
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
