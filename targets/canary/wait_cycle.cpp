// A log is closed with its lock held; closing waits for the flusher, which wants that lock once
// more when something is left to write.

#include "kernel-src/sync/mutex.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass log_class{"canary-flushed-log"};

struct Log {
  clay::Mutex lock{log_class};
  uint64_t lines = 0;
};

void flush(Log& log) {
  clay::MutexGuard guard(log.lock);
  log.lines = 0;
}

void close(Log& log) {
  clay::MutexGuard guard(log.lock);
  if (log.lines > 20) {
    canary::spawn("flusher", [&log] { flush(log); }).join();
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Log log;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    log.lines += data.below(4);
  }
  close(log);
}

sim::Target target{{
    .name = "canary/wait-cycle",
    .purpose = "Joins a task that needs the mutex which the joiner holds.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kWaitCycle,
}};

} // namespace
} // namespace kiln
