// An error path restores the interrupt state of the outer section first.

#include "kernel-src/hal/cpu.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

void transfer(uint64_t bytes) {
  const bool outer = hal_irq_save();
  const bool inner = hal_irq_save();
  if (bytes > 60) {
    hal_irq_restore(outer);
    hal_irq_restore(inner);
    return;
  }
  hal_irq_restore(inner);
  hal_irq_restore(outer);
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    transfer(data.below(64));
  }
}

sim::Target target{{
    .name = "canary/irq-restore-order",
    .purpose = "Restores interrupts in the order in which they were saved.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kIrqRestoreOrder,
}};

} // namespace
} // namespace kiln
