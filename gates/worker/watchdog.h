#pragma once
// Ends what does not end: an input that makes no progress for too long is first asked to become a
// finding (hang_signal), then its process is killed. A process that uses too much memory is killed.
//
// Progress is the slot's count of executions; nothing here reads a clock in the worker.

#include <chrono>
#include <cstdint>
#include <unordered_map>

#include "gates/worker/worker_process.h"

namespace kiln::gates {

struct WatchLimits {
  std::chrono::milliseconds input{10'000};
  std::chrono::milliseconds grace{2'000}; ///< between asking and killing
  std::chrono::milliseconds boot{60'000};
  uint64_t memory_bytes = uint64_t{2} << 30;
};

class Watchdog {
 public:
  explicit Watchdog(const WatchLimits& limits) : limits_(limits) {}
  /// Looks at a busy worker. `now`: time lived (TickClock).
  void look(WorkerProcess& worker, std::chrono::nanoseconds now);
  /// Resident size of a worker now, in bytes.
  uint64_t measure_memory(const WorkerProcess& worker);
  void forget(const WorkerProcess& worker) { watched_.erase(&worker); }
  /// Largest resident size seen of any worker.
  uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  struct Watched {
    uint64_t executions = UINT64_MAX;
    std::chrono::nanoseconds since{};
    std::chrono::nanoseconds memory_looked{};
    bool asked = false;
    bool killed = false;
  };
  void look_at_time(WorkerProcess& worker, Watched& watched, std::chrono::nanoseconds now);
  void look_at_memory(WorkerProcess& worker, Watched& watched, std::chrono::nanoseconds now);
  void kill_for(WorkerProcess& worker, Watched& watched, KillReason reason);

  WatchLimits limits_;
  uint64_t peak_bytes_ = 0;
  std::unordered_map<const WorkerProcess*, Watched> watched_;
};

} // namespace kiln::gates
