#pragma once
// The run: records which inputs reach which mutant, tries each, and says what came of it.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "gates/finding/symbolize.h"
#include "gates/mutation/journal.h"
#include "gates/mutation/record_run.h"
#include "gates/mutation/results.h"
#include "gates/mutation/trial.h"

namespace kiln::gates {

struct MutationPlan {
  std::vector<uint32_t> numbers;
  std::vector<const sim::Target*> targets;
  uint64_t seed = 1;
  uint64_t budget = 20'000;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  unsigned jobs = 1;
  uint64_t memory_mb = 0;                               ///< that a worker may use
  std::string folder;                                   ///< results and recordings
  std::string identity;                                 ///< of the program
  std::unordered_map<uint32_t, std::string> equivalent; ///< reasons, by number
  bool keep = true;          ///< results go to the journal, and come from it
  bool every_target = false; ///< also for named mutants, which else have one
};

class MutationRun {
 public:
  MutationRun(Pool& pool, MutationPlan plan) : pool_(pool), plan_(std::move(plan)) {}

  /// Records, tries what the journal does not know, compares the code of what survived, and fills
  /// report(). False with a sentence when the runner failed.
  bool run(std::string* error);

  const MutationReport& report() const { return report_; }
  MutationReport& report() { return report_; }
  const Recordings& recordings() const { return recordings_; }
  const MutationPlan& plan() const { return plan_; }
  bool interrupted() const { return interrupted_; }

  /// What is to be run of mutants that are armed together: the inputs that reach one of
  /// `mutants`, with `also` armed too.
  TrialPlan trial_plan(const std::vector<uint32_t>& mutants,
                       const std::vector<uint32_t>& also = {}) const;
  /// One target's. Only what the run's own strategy reaches has been recorded: with another one all
  /// of the target's inputs are run.
  TrialPlan plan_alone(uint32_t number, const sim::Target& target,
                       sim::StrategyKind strategy) const;
  std::vector<const sim::Target*> targets_that_reach(uint32_t number) const;

 private:
  bool record(std::string* error);
  bool open_journal(std::string* error);
  bool try_all(std::string* error);
  void compare_survivors();
  bool settled_without_trial(MutantResult& result) const;
  void take(const Trial& trial);
  void keep(const MutantResult& result);
  void show_progress(size_t finished, size_t of, double seconds) const;
  TrialPlan without_targets(std::vector<uint32_t> armed) const;
  TrialTarget trial_target(const std::vector<uint32_t>& mutants, const sim::Target& target) const;
  std::vector<const sim::Target*> targets_of(const sim::NamedMutant* entry) const;
  bool is_reached_at_boot(uint32_t number) const;

  Pool& pool_;
  MutationPlan plan_;
  Recordings recordings_;
  std::unique_ptr<Journal> journal_;
  std::unordered_map<uint32_t, size_t> index_; ///< of a number's result in the report
  Symbolizer symbolizer_;
  MutationReport report_;
  size_t killed_ = 0;
  size_t survived_ = 0;
  bool interrupted_ = false;
};

/// Of the program's table.
const sim::Mutant& mutant_of(uint32_t number);

/// What a trial showed of its mutant.
Verdict verdict_of(const Trial& trial, const sim::Mutant& mutant);
/// Of one that nothing found, from what was seen of it.
Verdict survivor_verdict(const sim::MutantSeen& seen, const sim::Mutant& mutant);

} // namespace kiln::gates
