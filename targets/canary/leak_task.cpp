// A detached poller waits for a word that only an orderly end gives.

#include "kernel-src/sync/event.h"
#include "kernel-src/sync/permanent.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::Permanent<clay::SharedEvent> stop{"stop-polling", clay::Reset::kAuto};

void run(sim::Run& run) {
  auto data = run.tape.data();
  bool polling = false;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    const uint64_t what = data.below(16);
    if (what == 3 && !polling) {
      canary::spawn("poller", [] { stop->wait(); }).detach();
      polling = true;
    } else if (what > 5 && polling) {
      stop->signal();
      polling = false;
    }
  }
}

sim::Target target{{
    .name = "canary/leak-task",
    .purpose = "Leaves a detached task that nobody tells to stop.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLeakTask,
}};

} // namespace
} // namespace kiln
