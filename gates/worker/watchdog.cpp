#include "gates/worker/watchdog.h"

#include <algorithm>
#include <csignal>

#include "gates/worker/fault_handlers.h"

namespace kiln::gates {

namespace {

constexpr std::chrono::milliseconds kMemoryEvery{200};

} // namespace

void Watchdog::look(WorkerProcess& worker, std::chrono::nanoseconds now) {
  Watched& watched = watched_[&worker];
  if (watched.killed) return;
  look_at_time(worker, watched, now);
  look_at_memory(worker, watched, now);
}

void Watchdog::look_at_time(WorkerProcess& worker, Watched& watched, std::chrono::nanoseconds now) {
  uint64_t executions = worker.slot().executions.load(std::memory_order_relaxed);
  if (executions != watched.executions || !worker.busy()) {
    watched.executions = executions;
    watched.since = now;
    watched.asked = false;
    return;
  }
  auto waited = now - watched.since;
  bool boots = worker.slot().running.load() == Phase::kBoot;
  auto limit = boots ? limits_.boot : limits_.input;
  if (waited >= limit && worker.stopped()) {
    // Somebody stopped it (SIGSTOP): no hang of the input. It ends as one killed from outside.
    watched.killed = true;
    kill(worker.slot().runner.load(), SIGKILL);
  } else if (waited >= limit + (boots ? std::chrono::milliseconds{0} : limits_.grace)) {
    kill_for(worker, watched, KillReason::kHang);
  } else if (waited >= limit && !watched.asked) {
    watched.asked = true;
    kill(worker.slot().runner.load(), hang_signal());
  }
}

void Watchdog::look_at_memory(WorkerProcess& worker, Watched& watched,
                              std::chrono::nanoseconds now) {
  if (watched.killed || now - watched.memory_looked < kMemoryEvery) return;
  watched.memory_looked = now;
  uint64_t bytes = measure_memory(worker);
  if (bytes > limits_.memory_bytes) kill_for(worker, watched, KillReason::kMemory);
}

uint64_t Watchdog::measure_memory(const WorkerProcess& worker) {
  uint64_t bytes = worker.resident_bytes();
  peak_bytes_ = std::max(peak_bytes_, bytes);
  return bytes;
}

void Watchdog::kill_for(WorkerProcess& worker, Watched& watched, KillReason reason) {
  watched.killed = true;
  worker.slot().killed = reason;
  kill(worker.slot().runner.load(), SIGKILL);
}

} // namespace kiln::gates
