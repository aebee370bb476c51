// A block size is given as a power of two, and the power is believed.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

[[gnu::noinline]] uint32_t block_size(uint32_t log2) { return 1u << log2; }

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    run.machine.digest(block_size(static_cast<uint32_t>(data.below(34))));
  }
}

sim::Target target{{
    .name = "canary/undefined-shift",
    .purpose = "Shifts by as much as an image says.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kUndefined,
}};

} // namespace
} // namespace kiln
