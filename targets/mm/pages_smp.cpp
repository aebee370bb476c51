// Several tasks on 1 to 4 CPUs, and interrupts in the middle of them, over one page allocator and
// its caches. Any of them gives back what another took.
//
// Checks what mm/pages does, as far as it holds while others go on: what is handed out is nobody
// else's and keeps its contents; refusals and books when nobody else was in the middle of anything;
// bounds of caches; at the end everything is back.

#include "targets/mm/page_world.h"
#include "targets/mm/smp.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/pages-smp";
const PageProbes probes{kTarget};
const sim::Probe kAtOnce{kTarget, "three are in the allocators at once"};
const sim::Probe kInterrupted{kTarget, "an interrupt comes to the allocators in the middle of it"};

void run_target(sim::Run& run) {
  const sync::Shape shape = draw_smp_shape(run);
  run.machine.fail_allocation(UINT64_MAX); // not while the machine's memory is set up
  auto data = run.tape.data();
  PageWorld world(run, probes);
  SmpRun<PageWorld, PageStep>(world, kAtOnce, kInterrupted)
      .run(
          run, shape, "pages",
          [&] { return draw_page_steps(run.tape, data.between(1, 10), By::kTask); },
          [&] { return draw_page_steps(run.tape, data.below(4), By::kInterrupt); });
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "The page allocator and its caches from several CPUs and interrupts.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 1024,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
