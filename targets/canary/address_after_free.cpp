// A route is freed while the table still points to it.

#include "kernel-src/task/heap.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Route {
  uint64_t hops = 1;
};

void run(sim::Run& run) {
  auto data = run.tape.data();
  Route* route = clay::heap_new<Route>(kHalAllocMayWait);
  KILN_CHECK(route != nullptr, "there is no memory for a route");
  Route* cached = route;
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    const uint64_t what = data.below(16);
    if (what == 7) {
      clay::heap_delete(std::exchange(route, nullptr));
    } else if (what > 12) {
      run.machine.digest(*static_cast<volatile uint64_t*>(&cached->hops));
    }
  }
  clay::heap_delete(route);
}

sim::Target target{{
    .name = "canary/address-after-free",
    .purpose = "Uses a route that has been freed.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary,sanitizer",
    .must_fail = true,
    .must_break = sim::Rule::kAddress,
}};

} // namespace
} // namespace kiln
