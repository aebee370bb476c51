// A table grows, with an allocation that may wait, under its spin lock.

#include "kernel-src/hal/memory.h"
#include "kernel-src/sync/spin_lock.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass table_class{"canary-growing-table"};

struct Table {
  clay::SpinLock lock{table_class};
  uint64_t used = 0;
  void* more = nullptr;
};

void insert(Table& table, uint64_t entries) {
  clay::SpinGuard guard(table.lock);
  table.used += entries;
  if (table.used > 64 && table.more == nullptr) {
    table.more = hal_alloc(1024, 16, kHalAllocMayWait);
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Table table;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    insert(table, data.below(8));
  }
  hal_free(table.more);
}

sim::Target target{{
    .name = "canary/alloc-context",
    .purpose = "Makes an allocation that may wait under a spin lock.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kAllocContext,
}};

} // namespace
} // namespace kiln
