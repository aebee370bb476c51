// The order of the passes.

#include "gates/shrink/shrink.h"

#include <utility>

#include "gates/shrink/shrink_passes.h"

namespace kiln::gates {
namespace {

using Pass = void (*)(Shrinker&);

// Coarse before fine: what goes early need not be looked at later.
constexpr Pass kPasses[] = {
    drop_lanes,     drop_decisions,     drop_spans,       cut_tails,
    zero_numbers,   drop_counted_spans, lower_and_delete, delete_numbers,
    drop_decisions, lower_numbers,      pull_decisions,
};

// Dearer ones: only when the others find nothing.
constexpr Pass kLastPasses[] = {drop_spans_moving_decisions, zero_number_pairs, drop_span_pairs};

bool run_passes(Shrinker& shrinker, std::span<const Pass> passes) {
  const uint64_t steps = shrinker.steps();
  for (Pass pass : passes) {
    if (shrinker.done()) break;
    pass(shrinker);
  }
  return shrinker.steps() != steps;
}

void run_to_fixpoint(Shrinker& shrinker) {
  bool progress = true;
  while (progress && !shrinker.done()) {
    progress = run_passes(shrinker, kPasses) || run_passes(shrinker, kLastPasses);
  }
}

} // namespace

ShrinkResult shrink(std::span<const uint8_t> tape, ShrinkJudge& judge, const ShrinkBudget& budget) {
  Shrinker shrinker(judge, budget);
  ShrinkResult result;
  if (shrinker.begin(tape)) {
    result.choices_before = shrinker.weight().choices;
    run_to_fixpoint(shrinker);
    result.choices_after = shrinker.weight().choices;
    result.tape = put_together(shrinker.best());
    result.record = shrinker.record();
  } else {
    result.tape.assign(tape.begin(), tape.end());
  }
  result.end = shrinker.end();
  result.executions = shrinker.executions();
  result.steps = shrinker.steps();
  return result;
}

} // namespace kiln::gates
