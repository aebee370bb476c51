#pragma once
// Runs a test's body as the first task of the machine, from the booted state. Inside use KILN_CHECK
// (GoogleTest's assertions allocate what a reset takes away) and look at the outcome outside:
//
//   Outcome outcome = run_in_machine([](sim::Run& run) { ... KILN_CHECK(...); });
//   EXPECT_FALSE(outcome.found) << outcome.finding.headline;

#include <cstdint>
#include <span>
#include <string>

#include "sim/engine.h"
#include "sim/machine.h"
#include "sim/target.h"

namespace kiln::test {

/// Boots the machine, the first time.
void boot_once();

using Body = void (*)(sim::Run&);

/// With these tape bytes (none: everything ordinary), details on.
sim::Outcome run_in_machine(Body body, std::span<const uint8_t> tape = {});
/// With input `iteration` of seed 1 and a strategy.
sim::Outcome run_seeded(Body body, uint64_t iteration,
                        sim::StrategyKind strategy = sim::StrategyKind::kPortfolio);

/// Gives a target an artefact; `words` gets what it says.
sim::Outcome feed_target(const char* target, const char* name, std::span<const uint8_t> bytes,
                         std::string& words);

} // namespace kiln::test
