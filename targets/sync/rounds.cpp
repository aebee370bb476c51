// Four tasks, ten rounds of lock, work, unlock each: the smallest program that schedules for real,
// and the one that `bench` measures. Checks mutual exclusion and that no round is lost.

#include <atomic>
#include <utility>

#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/task.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln {
namespace {

constexpr unsigned kTasks = 4;
constexpr unsigned kRounds = 10;

sim::Probe contended{"sync/rounds", "a round starts while another task is in the middle of one"};
sim::Probe switched{"sync/rounds", "rounds of different tasks alternate"};

constinit clay::LockClass rounds_class{"rounds"};

struct Shared {
  clay::SpinLock lock{rounds_class};
  std::atomic<unsigned> inside = 0; ///< its operations are the work: points in the middle
  unsigned rounds = 0;
  unsigned alternations = 0;
  unsigned last = kTasks;
};

struct Worker {
  Shared* shared;
  unsigned number;
};

void work(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  Shared& shared = *worker.shared;
  for (unsigned round = 0; round < kRounds; ++round) {
    if (shared.inside.load(std::memory_order_relaxed) != 0) {
      contended.hit();
    }
    clay::SpinGuard guard(shared.lock);
    unsigned others = shared.inside.fetch_add(1, std::memory_order_relaxed);
    KILN_CHECK(others == 0, "%u tasks are inside one critical section", others + 1);
    ++shared.rounds;
    shared.alternations += shared.last != worker.number;
    shared.last = worker.number;
    shared.inside.fetch_sub(1, std::memory_order_relaxed);
  }
}

void run(sim::Run& run) {
  run.machine.set_cpus(static_cast<unsigned>(run.tape.data().between(1, 4)));
  Shared shared;
  Worker workers[kTasks];
  clay::Task tasks[kTasks];
  for (unsigned i = 0; i < kTasks; ++i) {
    workers[i] = {&shared, i};
    auto task = clay::Task::create("worker", work, &workers[i]);
    KILN_CHECK(task.ok(), "a task could not be made");
    tasks[i] = std::move(task).value();
  }
  for (auto& task : tasks) {
    task.join();
  }
  KILN_CHECK(shared.rounds == kTasks * kRounds, "%u rounds were made, not %u", shared.rounds,
             kTasks * kRounds);
  if (shared.alternations > kTasks) {
    switched.hit();
  }
}

sim::Target target{{
    .name = "sync/rounds",
    .purpose = "Four tasks take turns under one spin lock; the scheduler's benchmark.",
    .run = run,
    .gate_inputs = 50'000,
    .longest_tape = 64,
    .tags = "sync,bench",
}};

} // namespace
} // namespace kiln
