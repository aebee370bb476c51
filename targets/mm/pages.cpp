// A random program over the page allocator and the page cache of one CPU, against a bitmap of
// frames.
//
// Checks: whatever is handed out was added, is nobody else's, aligned, and not frame 0; contents
// stay; a block is refused only when no such run of free frames exists; free memory is always
// joined as far as can be; ranges are taken and refused as they should; the cache is bounded; at
// the end everything is back.

#include "targets/mm/page_world.h"

namespace kiln::mm {
namespace {

constexpr const char* kTarget = "mm/pages";
const PageProbes probes{kTarget};

void run_target(sim::Run& run) {
  auto data = run.tape.data();
  PageWorld world(run, probes);
  if (run.tape.swarm().below(4) == 3) {
    world.failure().arm(run.tape.fault().below(24));
  }
  for (unsigned step = 0; step < 48 && data.below(40) != 0; ++step) {
    world.do_step(draw_page_step(run.tape, By::kTask), false);
  }
  world.finish();
}

const sim::Target target{{
    .name = kTarget,
    .purpose = "The page allocator and its caches against a bitmap of frames, on one CPU.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 768,
    .tags = "mm",
}};

} // namespace
} // namespace kiln::mm
