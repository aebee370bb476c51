#pragma once
// What the command line asks for, parsed and checked.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gates/worker/executor.h"
#include "sim/strategy.h"

namespace kiln::gates {

enum class Tier : uint8_t { kQuick, kGate, kNightly, kRelease };

struct OnlyInput {
  uint64_t seed;
  uint64_t iteration;
};

struct Settings {
  std::string command;                ///< "" until one is named: the gate
  std::vector<std::string> arguments; ///< of the command

  std::optional<uint64_t> seed;
  std::optional<uint64_t> iterations;
  std::optional<uint64_t> seconds;
  std::optional<OnlyInput> only;
  Tier tier = Tier::kGate;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;

  unsigned jobs = 0; ///< 0: one a processor
  Isolate isolate = Isolate::kProcess;
  uint64_t timeout_s = 10;
  uint64_t memory_mb = 2048;
  bool keep_going = false;
  bool shrink = true;
  bool aslr = false;

  std::string out = "out";
  std::string known;
  std::string artefact; ///< file to write
  bool raw = false;
  bool all = false;
  bool parser = false;

  std::string operators; ///< names, separated by commas
  std::string since;     ///< revision
  std::optional<uint64_t> budget;
  std::optional<uint64_t> mutant; ///< number in the table
  uint64_t threshold = 95;        ///< percent
  bool named = false;
  bool harness = false;
  bool matrix = false;

  bool trace = false;
  bool plain = false;
  bool gdb = false;
  bool one_process = false;
  std::string perfetto;
  std::string disk_image; ///< file to write
  std::string json;
  std::string junit;
  bool help = false;
};

uint64_t seed_of(const Settings& settings);
/// Asked for with a seed, a time or a number of inputs: not the gate.
bool is_campaign(const Settings& settings);

} // namespace kiln::gates
