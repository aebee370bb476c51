// A random program over a heap and an object pool on one CPU.
//
// Checks: blocks lie in memory that was given, overlap nothing, are aligned, and keep their
// contents; zeroed ones are; a block's room is that of its class; a refusal has a reason that
// follows from the blocks that are out; pools keep no more than they may; no page is lost at any
// step; a trim gives back all that can be, and a second finds nothing; at the end everything is
// back.

#include "targets/mm/heap_world.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/heap";
const HeapProbes probes{kTarget};

void run_target(sim::Run& run) {
  auto data = run.tape.data();
  HeapWorld world(run, probes);
  if (run.tape.swarm().below(4) == 3) {
    world.failure().arm(run.tape.fault().below(24));
  }
  for (unsigned step = 0; step < 48 && data.below(40) != 0; ++step) {
    world.do_step(draw_heap_step(run.tape), false);
  }
  world.finish();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "A heap and an object pool against a map of live blocks, on one CPU.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 768,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
