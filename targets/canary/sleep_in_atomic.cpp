// A full table waits for room with its spin lock held.

#include "kernel-src/sync/event.h"
#include "kernel-src/sync/spin_lock.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass table_class{"canary-table"};

struct Table {
  clay::SpinLock lock{table_class};
  clay::Event room{"room"};
  unsigned used = 0;
};

void insert(Table& table) {
  clay::SpinGuard guard(table.lock);
  if (table.used == 4) {
    table.room.wait();
  }
  ++table.used;
}

void remove(Table& table) {
  clay::SpinGuard guard(table.lock);
  if (table.used != 0) {
    --table.used;
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Table table;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    data.below(3) != 0 ? insert(table) : remove(table);
  }
}

sim::Target target{{
    .name = "canary/sleep-in-atomic",
    .purpose = "Waits for room in a table with the table's spin lock held.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kSleepInAtomic,
}};

} // namespace
} // namespace kiln
