// Two tasks wait for the end of one transfer, on an event that is made for one.

#include "kernel-src/hal/task.h"
#include "kernel-src/sync/event.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Transfer {
  clay::Event done{"transfer", clay::Reset::kManual};
};

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 6); left != 0; --left) {
    Transfer transfer;
    auto reader = canary::spawn("reader", [&transfer] { transfer.done.wait(); });
    clay::Task watcher;
    if (data.below(16) == 9) {
      watcher = canary::spawn("watcher", [&transfer] { transfer.done.wait(); });
    }
    hal_yield();
    transfer.done.signal();
    reader.join();
    if (watcher) {
      watcher.join();
    }
  }
}

sim::Target target{{
    .name = "canary/two-waiters",
    .purpose = "A second task waits on an event made for one.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kTwoWaiters,
}};

} // namespace
} // namespace kiln
