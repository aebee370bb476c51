// A random program over ranges of virtual addresses, and mappings of devices and fresh pages in
// them, on one CPU that uses what is mapped.
//
// Checks: a range lies where the contract says, in the window, aligned, with guard pages around it;
// a refusal has a reason; gaps are joined; every address is translated as the model says, by an MMU
// that remembers all that it may; fresh pages are nobody else's and keep their contents; no page is
// lost at any step, whichever allocation fails; what is unmapped is forgotten before its pages are
// given to others; at the end all is back.

#include "targets/mm/address_world.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/addresses";
const AddressProbes probes{kTarget};

void run_target(sim::Run& run) {
  auto data = run.tape.data();
  AddressWorld world(run, probes);
  if (run.tape.swarm().below(4) == 3) {
    world.failure().arm(run.tape.fault().below(48));
  }
  for (unsigned step = 0; step < 40 && data.below(40) != 0; ++step) {
    world.do_step(draw_address_step(run.tape, world.physical_bits()), true);
  }
  world.finish();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "Ranges of kernel addresses and what is mapped in them, on one CPU.",
    .run = run_target,
    .gate_inputs = 6'000,
    .longest_tape = 1536,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
