#pragma once
// Shrinking: makes a tape small while it still shows the same finding.
//
// Works on choices (draws and scheduling decisions) and on the spans that the target named, over
// all lanes together. Smaller means, in this order: fewer choices that are not the ordinary one,
// fewer bytes, lower values. Every accepted step is smaller, so it ends; it stops when no pass
// finds a step (a fixpoint) or the budget is spent. The same tape and judge give the same steps.
//
// How a tape is run is the judge's business: a worker process, or a function in a test.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/tape.h"

namespace kiln::gates {

/// What a run of a candidate showed.
struct Judged {
  bool same = false; ///< the finding sought, by identity
  /// The tape as really read (Outcome::tape); empty when the run could not tell.
  std::optional<std::vector<uint8_t>> tape;
  /// Spans and draws; may be empty, the shrinker then takes every byte for a choice.
  sim::TapeRecord record;
};

struct ShrinkJudge {
  virtual ~ShrinkJudge() = default;
  /// Nothing when runs have become impossible: shrinking ends with what it has.
  virtual std::optional<Judged> run(std::span<const uint8_t> tape) = 0;
};

struct ShrinkBudget {
  uint64_t executions = 20'000;
  std::chrono::milliseconds time{60'000};
};

enum class ShrinkEnd : uint8_t {
  kFixpoint,   ///< no pass finds a smaller tape
  kExecutions, ///< the budget of runs is spent
  kTime,
  kCannotRun,     ///< the judge gave up
  kNotReproduced, ///< the given tape does not show the finding; nothing was done
};

struct ShrinkResult {
  std::vector<uint8_t> tape;
  sim::TapeRecord record; ///< of `tape`
  ShrinkEnd end = ShrinkEnd::kFixpoint;
  uint64_t executions = 0;
  uint64_t steps = 0; ///< accepted
  size_t choices_before = 0;
  size_t choices_after = 0; ///< non-zero draws and scheduling decisions
};

ShrinkResult shrink(std::span<const uint8_t> tape, ShrinkJudge& judge, const ShrinkBudget& budget);

} // namespace kiln::gates
