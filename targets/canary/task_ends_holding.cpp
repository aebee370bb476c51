// A worker returns early, with the lock held, when it is told to stop in the middle of its work.

#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/permanent.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass work_class{"canary-work"};

constinit clay::Permanent<clay::Mutex> lock{work_class};

struct Work {
  uint64_t items = 0;
  uint64_t stop_at = 0;
};

void do_work(Work& work) {
  for (uint64_t left = work.items; left != 0; --left) {
    lock->lock();
    if (left == work.stop_at) {
      return;
    }
    lock->unlock();
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Work work;
  work.items = data.below(12);
  work.stop_at = data.below(256);
  canary::spawn("worker", [&work] { do_work(work); }).join();
}

sim::Target target{{
    .name = "canary/task-ends-holding",
    .purpose = "A worker ends with a mutex held when it is stopped early.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kTaskEndsHolding,
}};

} // namespace
} // namespace kiln
