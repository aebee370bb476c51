#pragma once
// Runs inputs one at a time and waits for each: to confirm, record, shrink and replay findings.
// While it waits the pool goes on serving everyone else.

#include <optional>
#include <string>

#include "gates/worker/pool.h"

namespace kiln::gates {

/// What came of one input, whether it ended its worker or not.
struct LabResult {
  bool failed = false; ///< the runner failed; `trouble` says how. Nothing else counts then
  std::string trouble;
  bool died = false; ///< the input ended its process: `done` has found, finding, nothing more
  int signal = 0;    ///< that ended the process, 0 for none
  std::string words; ///< what the worker printed (a sanitizer's report)
  SingleDone done;
};

class Lab : private JobClient {
 public:
  explicit Lab(Pool& pool) : pool_(pool) {}
  ~Lab() override;

  /// In a worker that has run nothing before.
  LabResult run_alone(const SingleJob& job);
  /// In a worker that may have run other inputs of the lab.
  LabResult run(const SingleJob& job);
  /// What the first worker said after its boot: known once something has been run.
  const Booted& booted() const { return pool_.booted(); }

 private:
  void on_done(WorkerProcess& worker, const Message& answer) override;
  void on_end(WorkerProcess& worker, const WorkerEnd& end) override;
  LabResult attempt(const SingleJob& job);
  void let_go();

  Pool& pool_;
  WorkerProcess* worker_ = nullptr;
  std::optional<LabResult> result_;
  bool killed_from_outside_ = false;
};

/// The finding in what a worker left when it died in an input.
sim::Finding finding_of_end(const WorkerEnd& end, const DeathNote& note);

} // namespace kiln::gates
