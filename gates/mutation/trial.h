#pragma once
// Mutants armed together against the inputs of their targets, in a fixed order, until the first
// finding: slice by slice, so that a mutant that one target finds at once costs no other target's
// whole budget. What comes of it does not depend on the worker, nor on what runs beside it.

#include <cstdint>
#include <string>
#include <vector>

#include "gates/mutation/recording.h"
#include "gates/mutation/results.h"
#include "gates/worker/worker_process.h"

namespace kiln::gates {

struct TrialTarget {
  const sim::Target* target = nullptr;
  InputSet inputs;  ///< that reach a site of the armed
  bool all = false; ///< every input, whatever it reaches
  uint64_t budget = 0;
  int64_t loop_fuel = 0;
  const Recording* recording = nullptr; ///< of the original; lives as long as the trial
  std::vector<uint64_t> original;       ///< keys of what the original finds here too, sorted
};

struct TrialPlan {
  std::vector<uint32_t> armed; ///< numbers in sim::mutant_table()
  std::vector<TrialTarget> targets;
  uint64_t seed = 1;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  uint64_t rules_off = 0;
  bool boots_armed = false;         ///< a site is reached at boot: in a worker of its own
  uint64_t original_generation = 0; ///< of the machine that boots without a mutant
};

class Trial : public JobClient {
 public:
  explicit Trial(TrialPlan plan);

  /// Goes on in this worker; it is busy until the trial has finished or the worker is gone.
  void run_in(WorkerProcess& worker);
  bool finished() const { return finished_; }
  const TrialPlan& plan() const { return plan_; }
  BootPlan boot_plan() const;

  // What came of it, once finished.
  bool failed() const { return !trouble_.empty(); }
  const std::string& trouble() const { return trouble_; }
  bool found() const { return found_; }
  const sim::Target* found_by() const { return found_by_; }
  uint64_t iteration() const { return done_.iteration; }
  const sim::Finding& finding() const { return done_.finding; }
  /// The classes of a cycle of locks that several inputs close together; else "".
  const std::string& joined() const { return joined_; }
  const std::vector<uint8_t>& tape() const { return done_.tape; }
  /// By the boot, when it was armed, and by the inputs.
  uint64_t visits() const { return boot_visits_ + visits_; }
  uint64_t differs() const { return boot_differs_ + differs_; }
  std::vector<MutantTry> tries() const;

 private:
  void on_done(WorkerProcess& worker, const Message& answer) override;
  void on_end(WorkerProcess& worker, const WorkerEnd& end) override;
  void on_boot(WorkerProcess& worker, const Message& answer);
  void ask_next(WorkerProcess& worker);
  bool make_job();
  void add_part(size_t target, uint64_t most);
  void take(const TryDone& done);
  void fails_to_boot(const sim::Finding& finding);
  bool is_off(sim::Rule rule) const;
  void join_lock_facts();
  void finish() { finished_ = true; }

  TrialPlan plan_;
  std::vector<sim::LockEdge> boot_edges_;     ///< of a worker that booted with them
  std::vector<std::vector<GivenFact>> facts_; ///< about lock order, by target
  std::vector<uint64_t> next_;                ///< by target: the first input that was not tried
  std::vector<uint64_t> before_;              ///< the same when the job under way was made
  std::vector<size_t> part_target_;           ///< of the job under way
  TryJob job_;
  unsigned round_ = 0;
  unsigned failures_ = 0;
  bool finished_ = false;
  bool found_ = false;
  const sim::Target* found_by_ = nullptr;
  TryDone done_;
  uint64_t boot_visits_ = 0;
  uint64_t boot_differs_ = 0;
  uint64_t visits_ = 0;
  uint64_t differs_ = 0;
  std::string joined_;
  std::string trouble_;
};

} // namespace kiln::gates
