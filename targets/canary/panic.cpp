// A superblock from outside makes the kernel stop itself.

#include "kernel-src/hal/console.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

void mount(uint64_t magic, uint64_t block_size) {
  if (magic % 4 != 1) {
    return;
  }
  if (block_size % 2 == 1) {
    hal_panic("the block size is odd");
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  const uint64_t magic = data.u8();
  mount(magic, data.below(32));
}

sim::Target target{{
    .name = "canary/panic",
    .purpose = "Panics at a superblock with an odd block size.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kPanic,
}};

} // namespace
} // namespace kiln
