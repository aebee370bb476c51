// mutate: the kernel broken on purpose, one place at a time.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "gates/cli/commands.h"
#include "gates/mutation/choice.h"
#include "gates/mutation/equivalents.h"
#include "gates/mutation/harness.h"
#include "gates/mutation/matrix_run.h"
#include "gates/mutation/mutation_run.h"
#include "gates/mutation/one_mutant.h"
#include "gates/mutation/program_identity.h"
#include "gates/mutation/report_files.h"
#include "gates/mutation/report_table.h"
#include "gates/mutation/tally.h"
#include "gates/run/session.h"
#include "gates/support/atomic_file.h"
#include "gates/support/build_facts.h"
#include "gates/support/environment.h"
#include "gates/support/folder_lock.h"
#include "gates/support/front_door.h"
#include "gates/support/interrupt.h"
#include "gates/support/read_file.h"
#include "gates/support/screen.h"
#include "gates/support/subject.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

namespace {

constexpr uint64_t kUsualBudget = 20'000;
constexpr size_t kLargestList = size_t{4} << 20;
/// A try watches its own processor time; this is for what cannot be ended from within.
constexpr uint64_t kWallSeconds = 120;

std::string no_mutants_here() {
  if (std::string_view(build_facts().flavour) == "mutants") {
    return "This program has no mutants: none was made of the kernel's C++ sources, and C sources "
           "are compiled as they are.";
  }
  return fmt::format("This program (flavour '{}') has no mutants: build the flavour 'mutants', as "
                     "'{} mutate' does.",
                     build_facts().flavour, front_door());
}

/// The usual build breaks the kernel only.
void say_what_harness_is_judged() {
  std::span<const sim::Mutant> mutants = sim::mutant_table().mutants;
  bool any = std::any_of(mutants.begin(), mutants.end(), [](const sim::Mutant& mutant) {
    return mutant.kind == sim::MutantKind::kHarness;
  });
  if (any) return;
  if (!subject().is_clay) {
    complain("No oracle and no choice is judged: those of a kernel of one's own are not broken.");
    return;
  }
  complain(fmt::format("No oracle and no choice is judged: this program was built without "
                       "KILN_HARNESS_MUTANTS; '{} mutate --harness' builds one that has them.",
                       front_door()));
}

/// The reviewed lists, by name; none without a checkout.
std::vector<std::string> lists_of_equivalents() {
  std::vector<std::string> names;
  if (subject_tree().empty() || subject().equivalents.empty()) return names;
  std::error_code problem;
  for (const auto& entry :
       std::filesystem::directory_iterator(in_subject_tree(subject().equivalents), problem)) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool read_equivalents(MutationPlan* plan, std::string* error) {
  for (const std::string& name : lists_of_equivalents()) {
    std::string path = fmt::format("{}/{}", subject().equivalents, name);
    std::optional<std::string> text =
        read_file(in_subject_tree(path), kLargestList, "a list", error);
    if (!text.has_value()) return false;
    std::optional<Equivalents> list = Equivalents::parse(*text, error);
    if (!list.has_value()) {
      *error = path + ", " + *error;
      return false;
    }
    std::vector<std::string> stale;
    plan->equivalent.merge(list->match(sim::mutant_table().mutants, &stale));
    for (const std::string& sentence : stale)
      complain(path + ", " + sentence);
  }
  return true;
}

/// The catalogue's entries say themselves how many inputs they may take.
uint64_t budget_of(const Settings& settings) {
  uint64_t budget = kUsualBudget;
  if (settings.named) {
    for (const sim::NamedMutant& entry : sim::mutant_table().named)
      budget = std::max(budget, entry.within);
  }
  return settings.budget.value_or(budget);
}

/// Only entries of the catalogue whose target is to be run, and only targets that one of them
/// names.
void keep_named_pairs(MutationPlan* plan) {
  std::set<std::string_view> chosen, names;
  for (const sim::Target* target : plan->targets)
    chosen.insert(target->info().name);
  std::set<uint32_t> numbers;
  for (const sim::NamedMutant& entry : sim::mutant_table().named) {
    bool wanted = std::binary_search(plan->numbers.begin(), plan->numbers.end(), entry.number);
    if (!wanted || !chosen.contains(entry.target)) continue;
    numbers.insert(entry.number);
    names.insert(entry.target);
  }
  plan->numbers.assign(numbers.begin(), numbers.end());
  std::erase_if(plan->targets,
                [&](const sim::Target* target) { return !names.contains(target->info().name); });
}

bool make_plan(const Settings& settings, MutationPlan* plan, std::string* error) {
  MutantChoice choice;
  if (!choose_mutants(settings, &choice, error)) return false;
  plan->numbers = std::move(choice.numbers);
  plan->targets = std::move(choice.targets);
  if (settings.named && !settings.all) keep_named_pairs(plan);
  plan->budget = budget_of(settings);
  plan->strategy = settings.strategy;
  plan->jobs = jobs_of(settings);
  plan->memory_mb = settings.memory_mb;
  plan->folder = settings.out + "/mutation";
  plan->every_target = settings.all;
  plan->keep = !settings.mutant.has_value();
  plan->identity = program_identity(error);
  if (plan->identity.empty() || !can_write_file(plan->folder + "/mutation.json", error)) {
    return false;
  }
  return settings.mutant.has_value() || read_equivalents(plan, error);
}

Pool pool_for(const Settings& settings) {
  Settings own = settings;
  own.timeout_s = kWallSeconds;
  return make_pool(own);
}

// The catalogue's must all be found in time; of the others, enough.
bool good_enough(const MutationReport& report, const Settings& settings) {
  if (settings.named) {
    for (const NamedOutcome& outcome : named_outcomes(report, sim::mutant_table())) {
      if (outcome.end != NamedEnd::kFound) return false;
    }
    return true;
  }
  int score = score_permille(tally_of(report, sim::mutant_table()).all);
  return score < 0 || static_cast<uint64_t>(score) >= settings.threshold * 10;
}

bool any_is(const MutationReport& report, Verdict verdict) {
  return std::any_of(report.results.begin(), report.results.end(),
                     [&](const MutantResult& result) { return result.verdict == verdict; });
}

ExitCode exit_code_of(const MutationReport& report, const Settings& settings) {
  if (interrupted() || any_is(report, Verdict::kPending)) return ExitCode::kInconclusive;
  if (!good_enough(report, settings)) return ExitCode::kFinding;
  return any_is(report, Verdict::kInconclusive) ? ExitCode::kInconclusive : ExitCode::kNothing;
}

ExitCode look_at_one(Pool& pool, const MutationRun& run) {
  const MutantResult& result = run.report().results.at(0);
  print_block(mutant_in_words(result));
  if (result.verdict == Verdict::kInconclusive || result.verdict == Verdict::kPending) {
    return ExitCode::kInconclusive;
  }
  if (result.verdict != Verdict::kKilled) return ExitCode::kFinding;
  std::string error;
  std::optional<std::vector<uint8_t>> tape = killing_tape(pool, run, result, &error);
  if (!tape.has_value()) {
    complain(error);
    return ExitCode::kNothing;
  }
  std::string file = mutant_tape_path(run.plan().folder + "/tapes", result.number);
  if (!write_report(file, to_hex(*tape))) return ExitCode::kInconclusive;
  print_block(fmt::format("look at it: {} replay {} {} --mutant {}\n", front_door(), result.target,
                          file, result.number));
  return ExitCode::kNothing;
}

} // namespace

ExitCode command_mutate(const Settings& settings) {
  const sim::MutantTable& table = sim::mutant_table();
  if (table.mutants.empty()) return refuse(no_mutants_here());
  std::string error;
  MutationPlan plan;
  if (!make_plan(settings, &plan, &error)) return refuse(error);
  if (plan.numbers.empty() && !settings.since.empty()) {
    print_block("No mutant lies on a changed line.\n");
    return ExitCode::kNothing;
  }
  if (plan.numbers.empty())
    return refuse("No mutant is left: files, targets, operators and kind exclude "
                  "each other here.");
  if (settings.harness) say_what_harness_is_judged();
  std::unique_ptr<FolderLock> lock = FolderLock::take(plan.folder, &error);
  if (lock == nullptr) return refuse(error);
  watch_for_interrupts();
  use_live_line(live_terminal() && !settings.plain);
  Pool pool = pool_for(settings);
  MutationRun run(pool, std::move(plan));
  if (!run.run(&error)) return fail_runner(error);
  if (settings.mutant.has_value()) return look_at_one(pool, run);
  if (settings.harness && !run.interrupted()) {
    run.report().harness = judge_harness(pool, run, &error);
    if (!error.empty()) return fail_runner(error);
  }
  if (settings.matrix && !run.interrupted()) {
    fill_matrix(pool, run, &error);
    if (!error.empty()) return fail_runner(error);
  }
  print_block(mutation_table(run.report(), table));
  if (!write_reports(run.report(), table, run.plan().folder, &error)) return fail_runner(error);
  return exit_code_of(run.report(), settings);
}

} // namespace kiln::gates
