// A random program over the page tables of one address space, used by the CPU between its steps.
//
// Checks: every address is translated as the intervals of a model say, by an MMU written from the
// Intel SDM that remembers all that a CPU may; nothing outlives its flush; reserved bits are 0; no
// page is both written and executed; tables without entries are gone; dirty bits stay; what fails
// changes nothing; at the end all memory is back. Also: ranges to forget, however they are
// collected.

#include "targets/mm/stale_check.h"
#include "targets/mm/table_world.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/pagetable";
const TableProbes probes{kTarget};

void run_target(sim::Run& run) {
  auto data = run.tape.data();
  check_stale_ranges(run);
  TableWorld world(run, probes);
  world.arm(run.tape.swarm().below(8) == 7, run.tape.fault().below(24));
  for (unsigned step = 0; step < 32 && data.below(40) != 0; ++step) {
    world.do_step(draw_table_step(run.tape, world.physical_bits()));
  }
  world.finish();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "Page tables against an MMU and a TLB by the Intel SDM, on one CPU.",
    .run = run_target,
    .gate_inputs = 3'500,
    .longest_tape = 1024,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
