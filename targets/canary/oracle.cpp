// A ring that drops an element when it wraps round full, against a counter that knows better.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr uint64_t kSize = 8;

struct Ring {
  uint64_t head = 0;
  uint64_t tail = 0;
  uint64_t count() const { return (head + kSize - tail) % kSize; }
};

void run(sim::Run& run) {
  auto data = run.tape.data();
  Ring ring;
  uint64_t model = 0;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    if (data.below(3) != 0) {
      if (model < kSize) {
        ring.head = (ring.head + 1) % kSize;
        ++model;
      }
    } else if (model > 0) {
      ring.tail = (ring.tail + 1) % kSize;
      --model;
    }
    KILN_CHECK(ring.count() == model, "the ring holds %llu elements, the model %llu",
               static_cast<unsigned long long>(ring.count()),
               static_cast<unsigned long long>(model));
  }
}

sim::Target target{{
    .name = "canary/oracle",
    .purpose = "A full ring takes itself for an empty one.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kOracle,
}};

} // namespace
} // namespace kiln
