#pragma once
// The option table: the one source of the parser, of --help and of docs/reference.md.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gates/cli/settings.h"

namespace kiln::gates {

/// Who takes an option: bits, one a command.
enum CommandBit : uint32_t {
  kForGate = 1u << 0,
  kForRun = 1u << 1,
  kForList = 1u << 2,
  kForReplay = 1u << 3,
  kForDecode = 1u << 4,
  kForFeed = 1u << 5,
  kForShrink = 1u << 6,
  kForTriage = 1u << 7,
  kForBundle = 1u << 8,
  kForCorpus = 1u << 9,
  kForCover = 1u << 10,
  kForBench = 1u << 11,
  kForDoctor = 1u << 12,
  kForNewTarget = 1u << 13,
  kForReference = 1u << 14,
  kForJoin = 1u << 15,
  kForArtefact = 1u << 16,
  kForMutate = 1u << 17,
  kForEvery = UINT32_MAX,
};

struct Option {
  const char* name;   ///< "--seed"
  const char* values; ///< "N"; "" for a switch; words separated by spaces for several
  const char* group;  ///< heading in --help
  const char* help;   ///< one sentence, no full stop
  uint32_t commands;  ///< CommandBit
  bool front_door;    ///< handled by scripts/fuzz.py, before this program
  /// Takes the values; false and a sentence when they will not do.
  bool (*apply)(Settings& settings, const std::vector<std::string>& values, std::string* error);
};

std::span<const Option> options();
/// Words in `values`.
unsigned value_count(const Option& option);

} // namespace kiln::gates
