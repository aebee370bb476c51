// Several tasks on 1 to 4 CPUs, and interrupts in the middle of them, over one heap and one object
// pool. Any of them gives back what another took.
//
// Checks what mm/heap does, as far as it holds while others go on; refusals, trims and books when
// nobody else was in the middle of anything; at the end everything is back.

#include "targets/mm/heap_world.h"
#include "targets/mm/smp.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/heap-smp";
const HeapProbes probes{kTarget};
const sim::Probe kAtOnce{kTarget, "three are in the allocators at once"};
const sim::Probe kInterrupted{kTarget, "an interrupt comes to the allocators in the middle of it"};

void run_target(sim::Run& run) {
  const sync::Shape shape = draw_smp_shape(run);
  run.machine.fail_allocation(UINT64_MAX); // not while the machine's memory is set up
  auto data = run.tape.data();
  HeapWorld world(run, probes);
  SmpRun<HeapWorld, HeapStep>(world, kAtOnce, kInterrupted)
      .run(
          run, shape, "heap", [&] { return draw_heap_steps(run.tape, data.between(1, 10)); },
          [&] { return draw_heap_steps(run.tape, data.below(4)); });
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "A heap and an object pool from several CPUs and interrupts.",
    .run = run_target,
    .gate_inputs = 8'000,
    .longest_tape = 1024,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
