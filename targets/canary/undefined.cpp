// A length field smaller than the header that it counts: the payload's length wraps to nearly 2^64.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr uint64_t kHeader = 8;

[[gnu::noinline]] uint64_t payload(uint64_t length) { return length - kHeader; }

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    const uint8_t length = data.u8();
    run.machine.digest(payload(length == 0 ? kHeader : length));
  }
}

sim::Target target{{
    .name = "canary/undefined",
    .purpose = "Subtracts a header from a length that is shorter: a silent wrap.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kUndefined,
}};

} // namespace
} // namespace kiln
