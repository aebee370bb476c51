// A count of 16 bits is kept in 8.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Counter {
  uint8_t sectors = 0;
};

[[gnu::noinline]] void set(Counter& counter, uint32_t sectors) { counter.sectors = sectors; }

void run(sim::Run& run) {
  auto data = run.tape.data();
  Counter counter;
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    set(counter, static_cast<uint32_t>(data.below(270)));
    run.machine.digest(counter.sectors);
  }
}

sim::Target target{{
    .name = "canary/undefined-lossy",
    .purpose = "Keeps a count of more than 255 in a byte.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kUndefined,
}};

} // namespace
} // namespace kiln
