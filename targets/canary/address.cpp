// An option's length is believed, and the byte behind it read: past the end of the packet.

#include "kernel-src/hal/memory.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr uint64_t kPacket = 64;

[[gnu::noinline]] uint8_t after_option(const uint8_t* packet, uint64_t at) {
  return packet[at + 1 + packet[at]];
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 4); left != 0; --left) {
    auto* packet = static_cast<uint8_t*>(hal_alloc(kPacket, 8, kHalAllocMayWait));
    KILN_CHECK(packet != nullptr, "there is no memory for a packet");
    for (uint64_t i = 0; i < kPacket; ++i) {
      packet[i] = 0;
    }
    packet[0] = static_cast<uint8_t>(data.below(72));
    run.machine.digest(after_option(packet, 0));
    hal_free(packet);
  }
}

sim::Target target{{
    .name = "canary/address",
    .purpose = "Reads past the end of a packet.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kAddress,
}};

} // namespace
} // namespace kiln
