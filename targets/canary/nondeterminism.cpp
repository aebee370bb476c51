// Looks at something that lives on from run to run: the counter of a probe lies outside the
// machine.

#include "sim/probe.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

sim::Probe seen{"canary/nondeterminism", "a run begins"};

void run(sim::Run& run) {
  auto data = run.tape.data();
  seen.hit();
  if (data.below(4) != 0) {
    run.machine.digest(sim::probe_counters[seen.index()]);
  }
}

sim::Target target{{
    .name = "canary/nondeterminism",
    .purpose = "Depends on how many runs came before.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kNondeterminism,
}};

} // namespace
} // namespace kiln
