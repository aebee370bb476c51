#include "gates/mutation/identical.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "gates/mutation/code_comparison.h"
#include "gates/mutation/mutant_source.h"
#include "gates/support/interrupt.h"
#include "gates/support/subject.h"

namespace kiln::gates {
namespace {

/// A survivor, and its file as it would be if the change were made by hand.
struct Candidate {
  MutantResult* result;
  const sim::Mutant* mutant;
  std::string text;
};

std::string folder_of_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path().string();
}

std::string folder_of_mutants() { return folder_of_program() + "/" + subject().mutated; }

bool read_candidates(const std::vector<MutantResult*>& survivors, const PlainBuild& build,
                     std::vector<Candidate>* out, std::string* error) {
  auto replacements = read_replacements(folder_of_mutants() + "/mutants.json", error);
  if (!replacements.has_value()) return false;
  ReportSources sources(build.tree);
  for (MutantResult* result : survivors) {
    const sim::Mutant& mutant = sim::mutant_table().mutants[result->number];
    std::optional<std::string> text =
        mutated_text(mutant, replacements->at(result->number), sources.file(mutant.path));
    if (!text.has_value()) {
      *error =
          fmt::format("{} is not what this program was built from: build it again", mutant.path);
      return false;
    }
    out->push_back({result, &mutant, std::move(*text)});
  }
  return true;
}

/// False when it has to be asked again.
bool settle(MutantResult& result, const CodeChange& change) {
  if (change.kind == CodeChange::Kind::kUndone) return false;
  result.compared = true;
  if (change.kind == CodeChange::Kind::kNone) result.verdict = Verdict::kIdentical;
  if (change.kind == CodeChange::Kind::kNotToTell) {
    result.reason = "not compared with the original's code: " + change.why;
  }
  return true;
}

/// How many were done.
size_t compare_all(CodeComparison& comparison, const std::vector<Candidate>& candidates,
                   unsigned jobs, const std::function<void(const MutantResult&)>& told) {
  std::atomic<size_t> next = 0;
  size_t done = 0;
  std::mutex results;
  auto work = [&] {
    while (!interrupted()) {
      size_t i = next++;
      if (i >= candidates.size()) return;
      const Candidate& it = candidates[i];
      CodeChange change = comparison.compare(it.mutant->path, it.text);
      std::lock_guard guard(results);
      if (!settle(*it.result, change)) continue;
      ++done;
      told(*it.result);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < jobs; ++i)
    threads.emplace_back(work);
  work();
  threads.clear();
  return done;
}

} // namespace

bool wants_comparison(const MutantResult& result) {
  if (!survived(result.verdict) || result.compared) return false;
  const sim::Mutant& mutant = sim::mutant_table().mutants[result.number];
  bool is_unit = std::string_view(mutant.path).ends_with(".cpp");
  return mutant.kind == sim::MutantKind::kKernel &&
         (is_unit || result.verdict != Verdict::kNotReached);
}

bool compare_with_original(const std::vector<MutantResult*>& survivors, unsigned jobs,
                           const std::string& scratch,
                           const std::function<void(const MutantResult&)>& told,
                           std::string* error) {
  if (survivors.empty()) return true;
  std::string tree = subject_tree();
  if (tree.empty()) {
    *error = "there is no checkout here: start the program in its own";
    return false;
  }
  std::optional<PlainBuild> build =
      plain_build(folder_of_program(), folder_of_mutants(), tree, error);
  if (!build.has_value()) return false;
  std::vector<Candidate> candidates;
  if (!read_candidates(survivors, *build, &candidates, error)) return false;
  CodeComparison comparison(std::move(*build), scratch);
  if (!comparison.is_ready(error)) return false;
  size_t done = compare_all(comparison, candidates, jobs, told);
  if (done == candidates.size()) return true;
  *error = fmt::format("{} of {} are left; the same command goes on with them",
                       candidates.size() - done, candidates.size());
  return false;
}

} // namespace kiln::gates
