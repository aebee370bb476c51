#pragma once
// Prints a tape in words: spans and draws lane by lane, and the sched lane as decisions.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/tape.h"

namespace kiln::gates {

struct DecodeOptions {
  bool ordinary = false; ///< draws of 0 too, not only those that chose something
  size_t most_lines = 0; ///< of each lane; 0 = all
};

/// `record` is that of a run of `tape`; without draws in it, lanes are printed as bytes.
/// `schedule`: a line for each decision of the sched lane.
std::string decode(std::span<const uint8_t> tape, const sim::TapeRecord& record,
                   const std::vector<std::string>& schedule, const DecodeOptions& options);

} // namespace kiln::gates
