#pragma once
// A finding with all that the runner knows about it: what confirm fills in, and what shrink,
// report, bundle and known findings read. Lives in the supervisor.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/exhibit.h"
#include "sim/finding.h"
#include "sim/strategy.h"
#include "sim/tape.h"
#include "sim/target.h"
#include "sim/trace.h"

namespace kiln::gates {

/// Where an input comes from.
enum class Origin : uint8_t {
  kSeed, ///< (target, seed, iteration)
  kTape, ///< a tape file
  kFeed, ///< a real artefact
  kGate, ///< no single input: a probe that no input reached
};

/// Trace events with the texts that they point to.
struct TraceLog {
  std::vector<sim::TraceEvent> events;
  std::deque<std::string> texts;
  std::vector<std::string> task_names; ///< by task number, as far as known
};

struct Found {
  const sim::Target* target = nullptr;
  Origin origin = Origin::kSeed;
  uint64_t seed = 0;
  uint64_t iteration = 0;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;

  sim::Finding finding{};
  uint64_t digest = 0;        ///< of the run that broke the rule; 0 when it ended its process
  std::string sanitizer_text; ///< AddressSanitizer's or UBSan's own words, "" when there are none
  int signal = 0;             ///< that ended the process or was caught; 0 = none

  bool has_tape = false;     ///< `tape` is the input (it may be the empty tape)
  std::vector<uint8_t> tape; ///< flat bytes that make the run again (shrunk when shrunk is set)
  bool tape_exact = true;    ///< false: the process was killed before it could write decisions down
  bool shrunk = false;
  sim::TapeRecord spans;               ///< of `tape`
  std::vector<std::string> trace_tail; ///< in words, oldest first
  std::string feed_name;               ///< origin kFeed: the file
  sim::Exhibits exhibits;              ///< what the target had to show

  unsigned reproduced = 0; ///< of `attempts` runs alone in a fresh process
  unsigned attempts = 0;
  uint64_t key = 0;        ///< finding_key(); 0 when it did not come from a range of inputs
  uint64_t generation = 0; ///< machine generation: hash of the booted machine
};

} // namespace kiln::gates
