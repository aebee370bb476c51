// A long name is copied to the stack to be looked at.

#include <string.h>

#include "kernel-src/sync/mutex.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr size_t kLongestName = 96 * 1024;
constinit clay::LockClass names_class{"canary-names"};

struct Names {
  clay::Mutex lock{names_class};
  uint32_t sum = 0;
};

[[gnu::noinline]] void add_long(Names& names, uint8_t letter) {
  char copy[kLongestName];
  memset(copy, letter, sizeof copy);
  clay::MutexGuard guard(names.lock);
  names.sum ^= static_cast<uint8_t>(copy[letter]);
}

void add(Names& names, uint8_t letter) {
  if (letter > 250) {
    add_long(names, letter);
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Names names;
  uint8_t letters[24] = {};
  const uint64_t count = canary::rounds(data);
  data.bytes({letters, count});
  canary::spawn("reader", [&] {
    for (uint64_t i = 0; i < count; ++i) {
      add(names, letters[i]);
    }
  }).join();
}

sim::Target target{{
    .name = "canary/stack-budget",
    .purpose = "Copies a long name to the stack.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kStackBudget,
}};

} // namespace
} // namespace kiln
