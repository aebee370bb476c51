// Several tasks on 1 to 4 CPUs, and interrupts in the middle of them, over one window of addresses
// and one page table. Any of them unmaps what another mapped, and uses what another maps.
//
// Checks what mm/addresses does, as far as it holds while others go on; refusals, places and books
// when nobody else was in the middle of anything; no page goes back while a CPU remembers it.

#include "targets/mm/address_world.h"
#include "targets/mm/smp.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/addresses-smp";
const AddressProbes probes{kTarget};
const sim::Probe kAtOnce{kTarget, "three are in the middle of something at once"};
const sim::Probe kInterrupted{kTarget, "an interrupt comes in the middle of something"};

void run_target(sim::Run& run) {
  const sync::Shape shape = draw_smp_shape(run);
  run.machine.fail_allocation(UINT64_MAX); // not while the machine's memory is set up
  auto data = run.tape.data();
  AddressWorld world(run, probes);
  const unsigned bits = world.physical_bits();
  SmpRun<AddressWorld, AddressStep>(world, kAtOnce, kInterrupted)
      .run(
          run, shape, "addresses",
          [&] { return draw_address_steps(run.tape, data.between(1, 10), bits); },
          [&] { return draw_address_steps(run.tape, data.below(4), bits); });
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "Ranges of kernel addresses and mappings from several CPUs and interrupts.",
    .run = run_target,
    .gate_inputs = 6'000,
    .longest_tape = 1536,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
