// An entry that the table refuses is nobody's, and stays.

#include "kernel-src/task/heap.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Entry {
  uint64_t key;
};

struct Table {
  Entry* entries[4] = {};
};

bool add(Table& table, Entry* entry) {
  for (Entry*& place : table.entries) {
    if (place == nullptr) {
      place = entry;
      return true;
    }
  }
  return false;
}

void remove(Table& table, uint64_t index) {
  clay::heap_delete(std::exchange(table.entries[index], nullptr));
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Table table;
  for (uint64_t left = data.between(0, 12); left != 0; --left) {
    uint64_t key = data.below(8);
    if (key < 4) {
      remove(table, key);
    } else {
      static_cast<void>(add(table, clay::heap_new<Entry>(kHalAllocMayWait, Entry{key})));
    }
  }
  for (uint64_t i = 0; i < 4; ++i) {
    remove(table, i);
  }
}

sim::Target target{{
    .name = "canary/leak-memory",
    .purpose = "Forgets an entry that a full table refuses.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLeakMemory,
}};

} // namespace
} // namespace kiln
