// A request takes pages one by one; when there are too few it gives up, and keeps those it has.

#include "kernel-src/hal/annotate.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Pages {
  uint64_t free = 32;
};

bool take(Pages& pages) {
  if (pages.free == 0) {
    return false;
  }
  --pages.free;
  hal_resource_taken(kHalPage, &pages);
  return true;
}

void give(Pages& pages, uint64_t count) {
  for (; count != 0; --count) {
    ++pages.free;
    hal_resource_returned(kHalPage, &pages);
  }
}

/// Pages got: all or none.
uint64_t request(Pages& pages, uint64_t count) {
  for (uint64_t got = 0; got < count; ++got) {
    if (!take(pages)) {
      return 0;
    }
  }
  return count;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Pages pages;
  uint64_t held = 0;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    const uint64_t wanted = data.below(8);
    if (wanted == 7) {
      give(pages, std::exchange(held, 0));
    } else {
      held += request(pages, wanted);
    }
  }
  give(pages, held);
}

sim::Target target{{
    .name = "canary/leak-page",
    .purpose = "Keeps part of the pages of a request that is refused.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLeakPage,
}};

} // namespace
} // namespace kiln
