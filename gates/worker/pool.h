#pragma once
// All workers of a supervisor, and its one event loop: answers, deaths, time-outs.
//
// There are no threads: everything happens in step(). A client's callback may ask further jobs but
// must not call step().

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gates/support/tick_clock.h"
#include "gates/worker/watchdog.h"
#include "gates/worker/worker_process.h"

namespace kiln::gates {

class Pool {
 public:
  Pool(const WatchLimits& limits, Isolate isolate) : watchdog_(limits), isolate_(isolate) {}

  /// A new worker; null when the host refuses (trouble() says why).
  WorkerProcess* start() { return start(plan_); }
  WorkerProcess* start(const BootPlan& plan);
  /// What workers boot with that are started from now on.
  void set_boot_plan(BootPlan plan) { plan_ = std::move(plan); }
  /// Kills it. Its job is not answered.
  void drop(WorkerProcess* worker);
  bool has(const WorkerProcess* worker) const;
  /// Called for a worker that has just answered: a chance to ask it again at once.
  void set_idle(std::function<void(WorkerProcess&)> idle) { idle_ = std::move(idle); }
  /// Waits at most `most` for something to happen, and handles it.
  void step(std::chrono::milliseconds most);

  /// Why workers cannot be started or do not boot, in one sentence; "" while all is well.
  const std::string& trouble() const { return trouble_; }
  /// What the first worker said after its boot.
  const Booted& booted() const { return booted_; }
  /// The most memory that a worker was seen to use, now included.
  uint64_t peak_bytes();
  Isolate isolate() const { return isolate_; }

 private:
  void read_from(WorkerProcess& worker);
  void handle(WorkerProcess& worker, const Message& message);
  void bury(WorkerProcess& worker);
  void remove(WorkerProcess* worker);
  WorkerEnd end_of(WorkerProcess& worker);

  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  Watchdog watchdog_;
  TickClock clock_;
  Isolate isolate_;
  BootPlan plan_;
  Booted booted_;
  std::string trouble_;
  std::function<void(WorkerProcess&)> idle_;
};

} // namespace kiln::gates
