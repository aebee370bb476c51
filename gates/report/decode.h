#pragma once
// Prints a tape in words: spans and draws lane by lane, and the sched lane as decisions.

#include <cstdint>
#include <span>
#include <string>

#include "sim/tape.h"

namespace kiln::gates {

struct DecodeOptions {
  bool ordinary = false; ///< draws of 0 too, not only those that chose something
  size_t most_lines = 0; ///< of each lane; 0 = all
};

/// `record` is that of a run of `tape`; without draws in it, lanes are printed as bytes.
std::string decode(std::span<const uint8_t> tape, const sim::TapeRecord& record,
                   const DecodeOptions& options);

} // namespace kiln::gates
