// A driver polls for an answer that never comes when the device is told to reset twice in a row.

#include <atomic>

#include "kernel-src/hal/task.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Device {
  std::atomic<uint32_t> ready{1};
  bool was_reset = false;
};

void command(Device& device, bool reset) {
  device.ready.store(reset && device.was_reset ? 0 : 1);
  device.was_reset = reset;
  while (device.ready.load() == 0) {
    hal_yield();
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Device device;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    command(device, data.below(16) == 5);
  }
}

sim::Target target{{
    .name = "canary/livelock",
    .purpose = "Polls for ever for a device that does not come back.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLivelock,
}};

} // namespace
} // namespace kiln
