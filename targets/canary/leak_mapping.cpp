// A page is mapped to be checked; a damaged one is refused and stays mapped.

#include "kernel-src/hal/annotate.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Window {
  uint8_t bytes[8] = {};
};

uint8_t checksum(const Window& window) {
  uint8_t sum = 0;
  for (uint8_t byte : window.bytes) {
    sum ^= byte;
  }
  return sum;
}

bool check(Window& window) {
  hal_resource_taken(kHalMapping, &window);
  if (checksum(window) > 240) {
    return false;
  }
  hal_resource_returned(kHalMapping, &window);
  return true;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Window window;
  data.bytes(window.bytes);
  static_cast<void>(check(window));
}

sim::Target target{{
    .name = "canary/leak-mapping",
    .purpose = "Leaves a damaged page mapped.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLeakMapping,
}};

} // namespace
} // namespace kiln
