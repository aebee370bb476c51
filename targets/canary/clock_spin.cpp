// A delay is waited for by reading the clock; a long one starves everybody.

#include "kernel-src/hal/time.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

void delay(uint64_t ns) {
  const uint64_t end = hal_clock_ns() + ns;
  while (hal_clock_ns() < end) {
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 6); left != 0; --left) {
    const uint64_t microseconds = data.below(16);
    const uint64_t unit = data.below(32) == 7 ? 1'000'000'000 : 1'000;
    delay(microseconds * unit);
  }
}

sim::Target target{{
    .name = "canary/clock-spin",
    .purpose = "Reads the clock in a loop until a long delay has passed.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kClockSpin,
}};

} // namespace
} // namespace kiln
