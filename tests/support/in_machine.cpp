#include "tests/support/in_machine.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace kiln::test {

namespace {

Body current_body;

sim::Target target{{
    .name = "test/body",
    .purpose = "The body of a unit test.",
    .run = [](sim::Run& run) { current_body(run); },
    .longest_tape = 512,
    .tags = "test",
}};

sim::Outcome run(Body body, sim::Tape& tape, sim::StrategyKind strategy) {
  boot_once();
  current_body = body;
  sim::ExecuteOptions options;
  options.details = true;
  options.strategy = strategy;
  return sim::execute(target, tape, options);
}

} // namespace

void boot_once() {
  static bool done = false;
  std::string error;
  if (!done && !sim::boot(&error)) {
    std::fprintf(stderr, "the machine does not boot: %s\n", error.c_str());
    std::abort();
  }
  done = true;
}

sim::Outcome run_in_machine(Body body, std::span<const uint8_t> bytes) {
  sim::Tape tape(bytes);
  return run(body, tape, sim::StrategyKind::kInOrder);
}

sim::Outcome run_seeded(Body body, uint64_t iteration, sim::StrategyKind strategy) {
  sim::Tape tape(sim::SeededInput{"test/body", 1, iteration, target.info().longest_tape});
  return run(body, tape, strategy);
}

sim::Outcome feed_target(const char* target, const char* name, std::span<const uint8_t> bytes,
                         std::string& words) {
  boot_once();
  sim::ExecuteOptions options;
  options.details = true;
  return sim::execute_feed(*sim::Target::find(target), name, bytes, words, options);
}

} // namespace kiln::test
