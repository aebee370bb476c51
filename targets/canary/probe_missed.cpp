// Declares a state that no input can reach.

#include "sim/probe.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

sim::Probe unreachable{"canary/probe-missed", "a byte is larger than 255"};

void run(sim::Run& run) {
  volatile uint32_t byte = run.tape.data().u8();
  if (byte > 255) {
    unreachable.hit();
  }
}

sim::Target target{{
    .name = "canary/probe-missed",
    .purpose = "Declares a state that inputs cannot reach.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kProbeMissed,
}};

} // namespace
} // namespace kiln
