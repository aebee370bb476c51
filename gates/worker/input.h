#pragma once
// One input to execute, wherever it comes from.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gates/finding/found.h"
#include "sim/engine.h"

namespace kiln::gates {

struct Input {
  const sim::Target* target;
  Origin origin;
  uint64_t seed;
  uint64_t iteration;
  std::span<const uint8_t> bytes; ///< the tape, or the artefact
  std::string_view name;          ///< the artefact's
};

/// Runs it once. `words`, when given, gets what the kernel made of an artefact.
sim::Outcome execute_input(const Input& input, const sim::ExecuteOptions& options,
                           std::string* words = nullptr);

} // namespace kiln::gates
