// A table of operations has a hole.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

using Operation = void (*)();

void nothing() {}

struct Operations {
  Operation volatile at[8] = {nothing, nothing, nothing, nothing,
                              nothing, nullptr, nothing, nothing};
};

void run(sim::Run& run) {
  auto data = run.tape.data();
  const Operations operations;
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    const uint64_t number = data.below(64);
    if (number < 8) {
      operations.at[number]();
    }
  }
}

sim::Target target{{
    .name = "canary/crash",
    .purpose = "Jumps through a hole in a table of operations.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kCrash,
}};

} // namespace
} // namespace kiln
