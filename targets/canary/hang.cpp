// A table is walked by lengths that are read from it; a length of zero stands still.

#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr uint64_t kTable = 32;

[[gnu::noinline]] unsigned entries(const volatile uint8_t* table) {
  unsigned count = 0;
  for (uint64_t at = 0; at < kTable; at += table[at]) {
    count = (count + 1) % 1024;
  }
  return count;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  uint8_t table[kTable];
  for (uint8_t& length : table) {
    length = static_cast<uint8_t>(data.below(256));
    length = length == 99 ? 0 : length == 0 ? 1 : length;
  }
  run.machine.digest(entries(table));
}

sim::Target target{{
    .name = "canary/hang",
    .purpose = "Walks a table with an entry of length zero.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kHang,
}};

} // namespace
} // namespace kiln
