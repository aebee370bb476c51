// A soft IRQ handler sends a packet; for an address that is not yet known it asks, and waits.

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/sync/event.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Neighbours {
  uint64_t known = 0x7f; ///< bit n: address n
  clay::Event answer{"answer"};
};

void send_to(Neighbours& neighbours, uint64_t address) {
  if ((neighbours.known >> address & 1) == 0) {
    neighbours.answer.wait();
  }
}

void receive_softirq(Neighbours& neighbours, uint64_t from) {
  hal_preempt_disable();
  hal_softirq_enter();
  send_to(neighbours, from);
  hal_softirq_leave();
  hal_preempt_enable();
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Neighbours neighbours;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    uint64_t address = data.below(16);
    if (address < 8) {
      receive_softirq(neighbours, address);
    }
  }
}

sim::Target target{{
    .name = "canary/wait-in-softirq",
    .purpose = "Resolves an address, and so waits, in a soft IRQ handler.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kWaitInSoftIrq,
}};

} // namespace
} // namespace kiln
