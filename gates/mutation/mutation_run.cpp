#include "gates/mutation/mutation_run.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "gates/finding/identity.h"
#include "gates/mutation/identical.h"
#include "gates/mutation/trial_runner.h"
#include "gates/run/progress.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void join(InputSet& to, const InputSet& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i)
    to[i] |= from[i];
}

const sim::NamedMutant* named(uint32_t number) {
  for (const sim::NamedMutant& entry : sim::mutant_table().named) {
    if (entry.number == number) return &entry;
  }
  return nullptr;
}

// Those that come by most often first; by name among equals.
bool comes_first(const TrialTarget& a, const TrialTarget& b) {
  uint64_t of_a = count_of(a.inputs);
  uint64_t of_b = count_of(b.inputs);
  if (of_a != of_b) return of_a > of_b;
  return std::string_view(a.target->info().name) < b.target->info().name;
}

std::string hex_line(const std::vector<uint8_t>& bytes) {
  std::string text = to_hex(bytes);
  std::erase(text, '\n');
  return text;
}

} // namespace

const sim::Mutant& mutant_of(uint32_t number) { return sim::mutant_table().mutants[number]; }

Verdict verdict_of(const Trial& trial, const sim::Mutant& mutant) {
  if (trial.failed()) return Verdict::kInconclusive;
  if (trial.found()) return Verdict::kKilled;
  return survivor_verdict({trial.visits(), trial.differs()}, mutant);
}

Verdict survivor_verdict(const sim::MutantSeen& seen, const sim::Mutant& mutant) {
  if (seen.visits == 0) return Verdict::kNotReached;
  return mutant.compares && seen.differs == 0 ? Verdict::kNotDifferent : Verdict::kNotNoticed;
}

bool MutationRun::run(std::string* error) {
  report_.seed = plan_.seed;
  report_.budget = plan_.budget;
  for (uint32_t number : plan_.numbers) {
    index_[number] = report_.results.size();
    report_.results.emplace_back().number = number;
  }
  if (!record(error) || !open_journal(error) || !try_all(error)) return false;
  if (plan_.keep) compare_survivors();
  interrupted_ = gates::interrupted();
  return true;
}

bool MutationRun::record(std::string* error) {
  RecordPlan plan{plan_.targets,  plan_.seed, plan_.budget,
                  plan_.strategy, plan_.jobs, plan_.folder + "/recorded",
                  plan_.identity};
  auto progress = [](uint64_t done, uint64_t of) {
    show_live_line(fmt::format("recording which inputs reach which mutant: {} of {} inputs",
                               grouped(done), grouped(of)));
  };
  recordings_ = record_targets(pool_, plan, progress, gates::interrupted);
  show_live_line("");
  *error = recordings_.trouble;
  return recordings_.trouble.empty();
}

bool MutationRun::open_journal(std::string* error) {
  if (!plan_.keep) return true;
  std::string identity =
      fmt::format("{} seed {} budget {} strategy {} memory {} targets", plan_.identity, plan_.seed,
                  plan_.budget, sim::strategy_name(plan_.strategy), plan_.memory_mb);
  for (const sim::Target* target : plan_.targets)
    identity += std::string(" ") + target->info().name;
  if (plan_.every_target) identity += " (all)";
  journal_ = Journal::open(journal_path(plan_.folder, identity), identity, error);
  remove_old_journals(plan_.folder);
  return journal_ != nullptr;
}

// What needs no trial: known already, or nothing to find.
bool MutationRun::settled_without_trial(MutantResult& result) const {
  auto marked = plan_.equivalent.find(result.number);
  if (marked != plan_.equivalent.end()) {
    result.verdict = Verdict::kEquivalent;
    result.reason = marked->second;
    return true;
  }
  if (!mutant_of(result.number).judged && plan_.keep) {
    result.verdict = Verdict::kNotJudged;
    return true;
  }
  if (journal_ == nullptr) return false;
  auto known = journal_->known().find(result.number);
  if (known == journal_->known().end()) return false;
  Verdict verdict = known->second.verdict;
  if (!counts(verdict) && verdict != Verdict::kIdentical) return false;
  result = known->second;
  return true;
}

// An entry of the catalogue names the one that must find it.
std::vector<const sim::Target*> MutationRun::targets_of(const sim::NamedMutant* entry) const {
  if (entry == nullptr || plan_.every_target) return plan_.targets;
  for (const sim::Target* target : plan_.targets) {
    if (entry->target == std::string_view(target->info().name)) return {target};
  }
  return {};
}

bool MutationRun::is_reached_at_boot(uint32_t number) const {
  std::vector<uint32_t> sites = sites_of(mutant_of(number));
  for (const auto& [target, recording] : recordings_.by_target) {
    const std::vector<uint32_t>& booted = recording.boot_sites;
    if (std::any_of(sites.begin(), sites.end(), [&](uint32_t site) {
          return std::binary_search(booted.begin(), booted.end(), site);
        })) {
      return true;
    }
  }
  return false;
}

TrialTarget MutationRun::trial_target(const std::vector<uint32_t>& mutants,
                                      const sim::Target& target) const {
  TrialTarget out;
  out.target = &target;
  out.budget = plan_.budget;
  const Recording& recording = recordings_.by_target.at(&target);
  for (uint32_t number : mutants) {
    for (uint32_t site : sites_of(mutant_of(number)))
      join(out.inputs, recording.reaching_inputs(site));
  }
  out.loop_fuel = recording.loop_fuel();
  out.original = recording.known_keys();
  out.recording = &recording;
  return out;
}

TrialPlan MutationRun::without_targets(std::vector<uint32_t> armed) const {
  TrialPlan plan;
  plan.boots_armed = std::any_of(armed.begin(), armed.end(),
                                 [&](uint32_t number) { return is_reached_at_boot(number); });
  plan.armed = std::move(armed);
  plan.seed = plan_.seed;
  plan.strategy = plan_.strategy;
  plan.original_generation = recordings_.generation;
  return plan;
}

TrialPlan MutationRun::trial_plan(const std::vector<uint32_t>& mutants,
                                  const std::vector<uint32_t>& also) const {
  std::vector<uint32_t> armed = mutants;
  armed.insert(armed.end(), also.begin(), also.end());
  TrialPlan plan = without_targets(std::move(armed));
  for (const sim::Target* target : targets_of(named(mutants[0])))
    plan.targets.push_back(trial_target(mutants, *target));
  std::sort(plan.targets.begin(), plan.targets.end(), comes_first);
  return plan;
}

TrialPlan MutationRun::plan_alone(uint32_t number, const sim::Target& target,
                                  sim::StrategyKind strategy) const {
  TrialPlan plan = without_targets({number});
  plan.strategy = strategy;
  plan.targets.push_back(trial_target({number}, target));
  plan.targets[0].all = strategy != plan_.strategy;
  return plan;
}

std::vector<const sim::Target*> MutationRun::targets_that_reach(uint32_t number) const {
  std::vector<const sim::Target*> targets = plan_.targets;
  if (is_reached_at_boot(number)) return targets;
  std::vector<uint32_t> sites = sites_of(mutant_of(number));
  std::erase_if(targets, [&](const sim::Target* target) {
    const Recording& recording = recordings_.by_target.at(target);
    return std::all_of(sites.begin(), sites.end(),
                       [&](uint32_t site) { return recording.reaching_inputs(site).empty(); });
  });
  return targets;
}

bool MutationRun::try_all(std::string* error) {
  TrialRunner runner(pool_, plan_.jobs);
  std::vector<uint32_t> numbers;
  for (MutantResult& result : report_.results) {
    if (!settled_without_trial(result)) numbers.push_back(result.number);
  }
  // Those that need a worker each come last.
  for (bool at_boot : {false, true}) {
    for (uint32_t number : numbers) {
      if (is_reached_at_boot(number) != at_boot) continue;
      runner.add([this, number] { return std::make_unique<Trial>(trial_plan({number})); });
    }
  }
  size_t finished = 0;
  Clock::time_point begin = Clock::now();
  runner.run(
      [&](Trial& trial) {
        take(trial);
        ++finished;
      },
      [&] { show_progress(finished, numbers.size(), seconds_since(begin)); }, gates::interrupted);
  show_live_line("");
  report_.seconds = seconds_since(begin);
  if (report_.seconds > 0) {
    report_.mutants_per_minute = static_cast<double>(finished) * 60 / report_.seconds;
  }
  *error = runner.trouble();
  return runner.trouble().empty();
}

void MutationRun::take(const Trial& trial) {
  uint32_t number = trial.plan().armed[0];
  MutantResult& result = report_.results[index_.at(number)];
  result.verdict = verdict_of(trial, mutant_of(number));
  result.visits = trial.visits();
  result.differs = trial.differs();
  result.tries = trial.tries();
  result.reason = trial.trouble();
  if (trial.found()) {
    result.target = trial.found_by() != nullptr ? trial.found_by()->info().name : "";
    result.inputs = trial.iteration() + 1;
    result.rule = trial.finding().rule;
    result.headline = trial.finding().headline;
    result.place = identify(trial.finding(), symbolizer_).where;
    if (!trial.joined().empty()) {
      result.place = trial.joined();
      result.joined = true;
    }
    result.tape = hex_line(trial.tape());
  }
  keep(result);
  killed_ += result.verdict == Verdict::kKilled;
  survived_ += survived(result.verdict);
}

void MutationRun::keep(const MutantResult& result) {
  if (journal_ != nullptr && !journal_->add(result))
    complain("A result could not be kept: is the disk full?");
}

// What cannot be compared stays a survivor: the run is none the worse.
void MutationRun::compare_survivors() {
  std::vector<MutantResult*> survivors;
  for (MutantResult& result : report_.results) {
    if (wants_comparison(result)) survivors.push_back(&result);
  }
  size_t done = 0;
  auto told = [&](const MutantResult& result) {
    keep(result);
    show_live_line(fmt::format("comparing what survived with the original: {} of {}",
                               grouped(++done), grouped(survivors.size())));
  };
  std::string why;
  if (!compare_with_original(survivors, plan_.jobs, plan_.folder + "/compare", told, &why)) {
    complain("Not all that survived was compared with the original's code: " + why + ".");
  }
  show_live_line("");
}

void MutationRun::show_progress(size_t finished, size_t of, double seconds) const {
  if (!has_live_line()) return;
  double rate = seconds > 0 ? static_cast<double>(finished) * 60 / seconds : 0;
  show_live_line(fmt::format("{} of {} mutants: {} killed, {} survived, {:.0f} a minute",
                             grouped(finished), grouped(of), grouped(killed_), grouped(survived_),
                             rate));
}

} // namespace kiln::gates
