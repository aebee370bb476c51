// A look-up that finds nothing gives null, and the caller reads a field of it.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Node {
  uint64_t key;
  uint64_t value;
};

struct Table {
  Node nodes[4] = {{3, 1}, {5, 2}, {8, 3}, {13, 4}};
};

[[gnu::noinline]] const Node* find(const Table& table, uint64_t key) {
  for (const Node& node : table.nodes) {
    if (node.key == key % 16) {
      return &node;
    }
  }
  return key < 240 ? &table.nodes[0] : nullptr;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  const Table table;
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    run.machine.digest(find(table, data.u8())->value);
  }
}

sim::Target target{{
    .name = "canary/undefined-null",
    .purpose = "Reads a field of what was not found.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kUndefined,
}};

} // namespace
} // namespace kiln
