// A path walk takes a reference to each node, and does not drop the one of a node that is no
// directory.

#include "kernel-src/hal/annotate.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Node {
  uint32_t references = 0;
};

void take(Node& node) {
  ++node.references;
  hal_resource_taken(kHalReference, &node);
}

void drop(Node& node) {
  --node.references;
  hal_resource_returned(kHalReference, &node);
}

bool walk(Node& node, bool is_directory) {
  take(node);
  if (!is_directory) {
    return false;
  }
  drop(node);
  return true;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Node node;
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    if (!walk(node, data.below(32) != 21)) {
      break;
    }
  }
}

sim::Target target{{
    .name = "canary/leak-reference",
    .purpose = "Keeps a reference to what turns out to be no directory.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLeakReference,
}};

} // namespace
} // namespace kiln
