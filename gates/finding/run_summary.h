#pragma once
// What a gate or campaign did, target by target: the input of the closing table, of --json and of
// --junit. Nothing in it depends on the number of workers but times and rates.

#include <cstdint>
#include <string>
#include <vector>

#include "gates/support/exit_code.h"
#include "sim/target.h"

namespace kiln::gates {

/// A finding as the summary names it; its files have the rest.
struct FindingLine {
  std::string identity; ///< short hash, part of the files' names
  std::string rule;
  std::string headline;
  std::string place; ///< "kernel-src/sync/mutex.cpp:41 clay::Mutex::lock", "" when not known
  uint64_t iteration = 0;
  uint64_t seen = 1; ///< inputs that ended in it
  unsigned reproduced = 0;
  unsigned attempts = 0;
  bool hang = false;
  std::string silenced; ///< the reason, when a known finding
  std::vector<std::string> files;
  std::string replay; ///< the command
};

struct ProbeLine {
  std::string name;
  uint64_t hits = 0;
  uint64_t first = 0; ///< the lowest iteration that hit it, when hits is not 0
};

enum class TargetEnd : uint8_t {
  kDone,        ///< all inputs, or all of its time
  kStopped,     ///< at its first finding
  kInterrupted, ///< by Ctrl-C or SIGTERM
  kFailed,      ///< the runner itself failed; `trouble` says how
};

struct TargetSummary {
  const sim::Target* target = nullptr;
  TargetEnd end = TargetEnd::kDone;
  uint64_t inputs = 0;
  double seconds = 0;     ///< wall clock
  double cpu_seconds = 0; ///< of the workers, while they worked on this target
  uint64_t digest = 0;    ///< order-independent fold over (iteration, digest)
  std::vector<ProbeLine> probes;
  std::vector<FindingLine> findings;
  std::vector<std::string> trouble;
};

struct RunSummary {
  std::string command; ///< "gate", "run", ...
  std::string flavour;
  uint64_t seed = 1;
  unsigned jobs = 1;
  bool interrupted = false;
  double seconds = 0;
  uint64_t peak_worker_bytes = 0; ///< largest resident size of a worker
  std::vector<TargetSummary> targets;
  ExitCode exit_code = ExitCode::kNothing;
};

} // namespace kiln::gates
