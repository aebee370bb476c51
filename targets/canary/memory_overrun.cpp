// A device writes as much as it was told to, past the end of its buffer. No instruction of the
// kernel does the writing, so no sanitizer sees it: the heap does, when the buffer is given back.

#include "kernel-src/hal/memory.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr uint64_t kBuffer = 48;

[[gnu::noinline, clang::no_sanitize("address")]] void device_writes(volatile uint8_t* buffer,
                                                                    uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) {
    buffer[i] = 0x11;
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    auto* buffer = static_cast<uint8_t*>(hal_alloc(kBuffer, 16, kHalAllocMayWait));
    KILN_CHECK(buffer != nullptr, "there is no memory for a buffer");
    const uint64_t header = data.below(16);
    device_writes(buffer, data.below(36) + header);
    hal_free(buffer);
  }
}

sim::Target target{{
    .name = "canary/memory-overrun",
    .purpose = "A device writes a few bytes too many.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kMemoryOverrun,
}};

} // namespace
} // namespace kiln
