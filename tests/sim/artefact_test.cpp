// A target's artefact is what its generator made, and nothing of the kernel runs on it.

#include <gtest/gtest.h>

#include "generators/fdt.h"
#include "sim/host_vector.h"
#include "tests/support/in_machine.h"

namespace kiln::sim {
namespace {

using Artefact = std::optional<HostVector<uint8_t>>;

const Target& fdt() { return *Target::find("boot/fdt"); }

Tape tape_of(uint64_t iteration) {
  return Tape(SeededInput{"boot/fdt", 1, iteration, fdt().info().longest_tape});
}

Artefact artefact_of(uint64_t iteration) {
  test::boot_once();
  Artefact artefact;
  ExecuteOptions options;
  options.artefact = &artefact;
  Tape tape = tape_of(iteration);
  const uint64_t before = machine_hash();
  EXPECT_FALSE(execute(fdt(), tape, options).found);
  EXPECT_EQ(machine_hash(), before);
  return artefact;
}

TEST(Artefact, IsWhatTheGeneratorMade) {
  for (uint64_t iteration = 0; iteration < 20; ++iteration) {
    Artefact artefact = artefact_of(iteration);
    Tape tape = tape_of(iteration);
    const std::vector<uint8_t> made = gen::fdt::make(tape).blob;
    ASSERT_TRUE(artefact.has_value());
    EXPECT_EQ(std::vector<uint8_t>(artefact->begin(), artefact->end()), made);
  }
}

TEST(Artefact, RunsGoOnWhenNobodyAsks) {
  test::boot_once();
  Tape tape = tape_of(1);
  EXPECT_GT(execute(fdt(), tape, {}).allocations, 0u);
}

TEST(Artefact, IsMissingWhereNoneIsNamed) {
  test::boot_once();
  Artefact artefact;
  ExecuteOptions options;
  options.artefact = &artefact;
  Tape tape{std::span<const uint8_t>()};
  EXPECT_FALSE(execute(*Target::find("lib/bytes"), tape, options).found);
  EXPECT_FALSE(artefact.has_value());
}

} // namespace
} // namespace kiln::sim
