#pragma once
// One input, judged: run, then for a sample of inputs run again.
//
// A second run with another fill of fresh memory that ends in another digest has read memory that
// nobody wrote. A second run with nothing changed that ends in another digest depends on something
// outside the tape: the host, an earlier input. Either is a finding, placed where the two runs
// part.
//
// Not checked: that what differs mattered to anyone; a digest sees what the machine and the target
// mixed into it.

#include "gates/worker/executor.h"

namespace kiln::gates {

inline constexpr uint8_t kOtherFill = 0x5A;

/// Which second runs an input gets.
struct Rerun {
  bool other_fill = false;
  bool repeat = false;
};

/// Of the inputs of a seed every 64th is run with another fill, every 128th a second time.
constexpr Rerun rerun_of_iteration(uint64_t iteration) {
  return {iteration % 64 == 0, iteration % 128 == 0};
}

/// After a first run without a finding: the second runs. A difference becomes first's finding; the
/// rest of `first` stays.
void judge_further(Executor& executor, const Input& input, const sim::ExecuteOptions& options,
                   Rerun rerun, sim::Outcome& first);

} // namespace kiln::gates
