// A tree is measured by recursion, as deep as its writer likes; loops are not noticed.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Tree {
  uint8_t child[16] = {};
};

[[gnu::noinline]] uint64_t depth(const Tree& tree, uint8_t node) {
  volatile uint8_t path[512];
  path[0] = node;
  const uint8_t child = tree.child[node];
  return child == 0 ? path[0] : 1 + depth(tree, child) + path[0];
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Tree tree;
  for (uint8_t& child : tree.child) {
    child = static_cast<uint8_t>(data.below(16));
  }
  uint64_t measured = 0;
  canary::spawn("measurer", [&] { measured = depth(tree, 1); }).join();
  run.machine.digest(measured);
}

sim::Target target{{
    .name = "canary/stack-overflow",
    .purpose = "Follows a tree that is a loop down the stack.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kStackOverflow,
}};

} // namespace
} // namespace kiln
