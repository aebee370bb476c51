// A packet with an error flag is cleaned up by the driver, and again by its caller.

#include "kernel-src/hal/memory.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

bool receive(void* packet, uint8_t flags) {
  if (flags >= 250) {
    hal_free(packet);
    return false;
  }
  return true;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    void* packet = hal_alloc(64, 8, kHalAllocMayWait);
    KILN_CHECK(packet != nullptr, "there is no memory for a packet");
    static_cast<void>(receive(packet, data.u8()));
    hal_free(packet);
  }
}

sim::Target target{{
    .name = "canary/bad-free",
    .purpose = "Frees a packet with an error flag twice.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kBadFree,
}};

} // namespace
} // namespace kiln
