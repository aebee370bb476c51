#include "gates/run/session.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sched.h>
#include <unistd.h>

#include "gates/support/atomic_file.h"
#include "gates/support/coverage_profile.h"
#include "gates/support/exit_code.h"
#include "gates/support/screen.h"
#include "gates/worker/fences.h"

namespace kiln::gates {

ExitCode refuse(const std::string& sentence) {
  complain(sentence);
  return ExitCode::kUsage;
}

ExitCode fail_runner(const std::string& sentence) {
  complain(sentence);
  return ExitCode::kInconclusive;
}

Pool make_pool(const Settings& settings) {
  prepare_fences(counts_coverage());
  WatchLimits limits;
  limits.input = std::chrono::seconds(settings.timeout_s);
  limits.memory_bytes = settings.memory_mb << 20;
  return Pool(limits, settings.isolate);
}

bool prepare_out_folder(const Settings& settings, std::string* error) {
  std::filesystem::path folder = std::filesystem::path(settings.out) / "findings";
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem && access(folder.c_str(), W_OK) != 0) {
    problem = std::error_code(errno, std::generic_category());
  }
  if (!problem) return true;
  *error = "Findings cannot be saved in '" + folder.string() + "' (" + problem.message() +
           "): give a folder that can be written to with --out DIR.";
  return false;
}

std::optional<KnownFindings> read_known(const Settings& settings, std::string* error) {
  if (settings.known.empty()) return KnownFindings();
  return KnownFindings::read(settings.known, error);
}

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

unsigned jobs_of(const Settings& settings) {
  return settings.jobs != 0 ? settings.jobs : processors();
}

bool write_report(const std::string& path, const std::string& text) {
  std::string error;
  bool done = write_file_atomically(path, text, &error);
  if (!done) complain(error);
  return done;
}

} // namespace kiln::gates
