// A column of a table of the kernel is chosen by a number from outside.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

[[gnu::noinline]] uint32_t weight(uint64_t column) {
  uint32_t weights[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  return weights[column];
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    run.machine.digest(weight(data.below(13)));
  }
}

sim::Target target{{
    .name = "canary/undefined-bounds",
    .purpose = "Looks one past the end of an array.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kUndefined,
}};

} // namespace
} // namespace kiln
