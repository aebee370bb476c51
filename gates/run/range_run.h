#pragma once
// The inputs of one target, from the first to the summary: hands chunks to workers, keeps the
// ledger, turns deaths into findings, and stops where it must.

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "gates/finding/run_summary.h"
#include "gates/run/range_ledger.h"
#include "gates/worker/worker_process.h"
#include "sim/strategy.h"

namespace kiln::gates {

/// What is to be run of a target.
struct RangePlan {
  const sim::Target* target = nullptr;
  uint64_t seed = 1;
  uint64_t begin = 0;
  uint64_t end = 0; ///< UINT64_MAX: until time is up
  std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  bool keep_going = false;
  unsigned jobs = 1; ///< workers that may share it: chunks are made smaller near the end
};

class RangeRun : public JobClient {
 public:
  using Clock = std::chrono::steady_clock;
  /// `silenced`: whether a finding is one that the user knows (asked once a key).
  RangeRun(const RangePlan& plan, std::function<bool(const sim::Finding&)> silenced);

  /// Gives an idle worker its next chunk; false when there is none for it now.
  bool feed(WorkerProcess& worker);
  /// Watches the time budget. Call often.
  void tick(Clock::time_point now);
  /// Ends as soon as the workers have come back.
  void interrupt();
  /// The runner failed: no more inputs.
  void fail(const std::string& trouble);

  bool started() const { return started_; }
  /// Whether a further worker would get a chunk.
  bool has_more() const { return ledger_.has_more(); }
  bool finished() const { return ledger_.finished(); }
  /// Findings that count now, lowest iteration first, each key once.
  std::vector<RangeFinding> take_findings() { return ledger_.take_final(); }
  std::vector<GivenFact> take_lock_facts() { return ledger_.take_facts(); }
  /// Words that a worker left when it died of this finding; "" for others.
  std::string words_of(uint64_t key) const;
  int signal_of(uint64_t key) const;

  const RangePlan& plan() const { return plan_; }
  const RangeTotals& totals() const { return ledger_.totals(); }
  uint64_t frontier() const { return ledger_.frontier(); }
  /// Everything but the findings.
  TargetSummary summary() const;
  double seconds(Clock::time_point now) const;

 private:
  struct Out {
    Chunk chunk;
    Clock::time_point since;
    std::chrono::nanoseconds cpu;
  };
  struct DeathWords {
    std::string words;
    int signal;
  };

  void on_done(WorkerProcess& worker, const Message& answer) override;
  void on_end(WorkerProcess& worker, const WorkerEnd& end) override;
  Part part_of(WorkerProcess& worker, const Chunk& chunk) const;
  void add_death(Part& part, WorkerProcess& worker, const WorkerEnd& end);
  bool outside_kill_forgiven(WorkerProcess& worker, const WorkerEnd& end);
  void settle(const Out& out, Part part);
  bool is_silenced(const RangeFinding& finding);
  void recall_above();
  Out take_out(WorkerProcess& worker);
  uint64_t chunk_size() const;
  void learn_speed(const Out& out, uint64_t inputs);
  void close();

  RangePlan plan_;
  std::function<bool(const sim::Finding&)> ask_silenced_;
  RangeLedger ledger_;
  std::unordered_map<WorkerProcess*, Out> out_;
  std::unordered_map<uint64_t, bool> silenced_by_key_;
  std::unordered_map<uint64_t, DeathWords> deaths_;
  std::set<uint64_t> killed_at_; ///< inputs during which a worker was killed from outside
  std::vector<std::string> trouble_;
  bool started_ = false;
  bool stopped_ = false;
  bool interrupted_ = false;
  bool failed_ = false;
  unsigned failures_ = 0;
  double inputs_per_second_ = 0; ///< of one worker
  Clock::time_point begin_{};
  Clock::time_point end_{};
  std::chrono::nanoseconds cpu_{};
};

} // namespace kiln::gates
