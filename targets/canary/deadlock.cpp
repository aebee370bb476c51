// A lost wake-up: the flag is looked at before the waiter makes itself known. Needs another task to
// run just there.

#include <atomic>

#include "kernel-src/hal/task.h"
#include "kernel-src/hal/time.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Flag {
  std::atomic<bool> set{false};
  std::atomic<HalTask*> waiter{nullptr};
};

void wait(Flag& flag) {
  while (!flag.set.load()) {
    flag.waiter.store(hal_task_current());
    hal_park(kHalNever);
  }
}

void signal(Flag& flag) {
  flag.set.store(true);
  if (HalTask* waiter = flag.waiter.exchange(nullptr)) {
    hal_unpark(waiter);
  }
}

void run(sim::Run& run) {
  run.machine.set_cpus(2);
  for (uint64_t left = run.tape.data().between(0, 8); left != 0; --left) {
    Flag flag;
    auto waiter = canary::spawn("waiter", [&flag] { wait(flag); });
    signal(flag);
    waiter.join();
  }
}

sim::Target target{{
    .name = "canary/deadlock",
    .purpose = "Loses a wake-up that comes between the check and the wait.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kDeadlock,
}};

} // namespace
} // namespace kiln
