// A request's flags are set for writes only, and looked at for all.

#include "kernel-src/hal/memory.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Request {
  uint32_t sector;
  uint32_t flags;
};

void run(sim::Run& run) {
  auto data = run.tape.data();
  for (uint64_t left = data.between(0, 6); left != 0; --left) {
    auto* request =
        static_cast<Request*>(hal_alloc(sizeof(Request), alignof(Request), kHalAllocMayWait));
    KILN_CHECK(request != nullptr, "there is no memory for a request");
    request->sector = data.u8();
    if (request->sector < 160) {
      request->flags = 0;
    }
    run.machine.digest(request->flags);
    hal_free(request);
  }
}

sim::Target target{{
    .name = "canary/uninitialised-read",
    .purpose = "Looks at flags that only some requests set.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kUninitialised,
}};

} // namespace
} // namespace kiln
