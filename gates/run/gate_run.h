#pragma once
// A gate or a campaign: targets one after another, workers always busy, findings dealt with as soon
// as they count, Ctrl-C at any time.

#include <memory>
#include <optional>
#include <vector>

#include "gates/desk/finding_desk.h"
#include "gates/finding/run_summary.h"
#include "gates/run/range_run.h"
#include "gates/worker/pool.h"

namespace kiln::gates {

class GateRun {
 public:
  /// `judge_probes`: a declared probe that no input of a completed target hits is a finding.
  GateRun(Pool& pool, FindingDesk& desk, const std::vector<RangePlan>& plans, unsigned jobs,
          bool judge_probes);

  /// Runs all; blocks. Prints a line for each target that is done.
  std::vector<TargetSummary> run();

 private:
  void keep_workers();
  bool wants_worker() const;
  void offer(WorkerProcess& worker);
  void settle(RangeRun& run);
  void join_lock_facts(RangeRun& run);
  void close(RangeRun& run);
  void judge_probes(const RangeRun& run, TargetSummary& summary);
  void report_missed_probe(const sim::Target& target, const sim::Probe& probe, uint64_t inputs);
  void show_progress();

  Pool& pool_;
  FindingDesk& desk_;
  std::vector<std::unique_ptr<RangeRun>> runs_;
  std::vector<WorkerProcess*> workers_;
  unsigned jobs_;
  bool judge_probes_;
  std::optional<LockGraph> lock_graph_;
  std::vector<TargetSummary> summaries_;
};

} // namespace kiln::gates
