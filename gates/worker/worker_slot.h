#pragma once
// Memory that a worker and the supervisor share: what the worker is doing, and what remains
// readable when it dies in the middle of it.
//
// The worker writes, the supervisor reads: `running` and `executions` at any time, the rest while
// the worker is idle or dead. Only `stop_at` and `killed` go the other way.

#include <atomic>
#include <cstdint>
#include <sys/types.h>

#include "gates/finding/lock_graph.h"
#include "gates/worker/jobs.h"
#include "sim/probe.h"

namespace kiln::gates {

enum class Phase : uint32_t {
  kIdle,
  kBoot,
  kInput,     ///< the input itself
  kOtherFill, ///< again, with another fill of fresh memory
  kRepeat,    ///< again, the same
};

/// Why the supervisor killed the process that executed.
enum class KillReason : uint32_t { kNone, kHang, kMemory };

/// Distinct findings that one chunk may hold; a worker gives the chunk back when there are more.
inline constexpr unsigned kChunkFindings = 32;
/// The same for new facts about lock order.
inline constexpr unsigned kChunkFacts = 256;

/// What a process knew about its death: left by a sanitizer's hook or a signal handler that could
/// not end the run alone.
struct DeathNote {
  std::atomic<bool> valid;
  sim::Rule rule;
  char headline[512];
  sim::Stack stack;
};

/// Longest tape of a finding that a try hands on.
inline constexpr size_t kTriedTape = size_t{64} << 10;

inline constexpr uint64_t kNoIteration = UINT64_MAX;

/// Exit status of a worker that cannot work here (no memory, no pipe): nothing about any input.
inline constexpr int kWorkerCannotGoOn = 97;

struct WorkerSlot {
  std::atomic<Phase> running;
  std::atomic<uint64_t> executions; ///< goes up at the start and the end of every execution
  std::atomic<pid_t> runner;        ///< the process that executes; the worker, or a fork of it
  std::atomic<KillReason> killed;   ///< set by the supervisor before it kills
  std::atomic<uint64_t> stop_at;    ///< no input at or above this one is wanted
  uint64_t iteration;               ///< under way, in a range job

  // The range job's part so far.
  uint64_t begin;
  uint64_t reached;
  uint64_t fold;
  uint32_t finding_count;
  RangeFinding findings[kChunkFindings];
  uint32_t fact_count;
  GivenFact facts[kChunkFacts];           ///< names are static text of this program
  uint64_t probes[sim::kMaxProbes];       ///< hits, by Probe::index
  uint64_t probes_first[sim::kMaxProbes]; ///< the lowest iteration that hit it; kNoIteration

  // A try's part so far; its finding is findings[0].
  uint32_t part;
  uint64_t visits;
  uint64_t differs;
  uint32_t fact_part[kChunkFacts]; ///< of facts[i]
  uint32_t tape_bytes;             ///< 0: none
  uint8_t tape[kTriedTape];

  DeathNote note;
};

/// A zeroed slot in shared memory; null when there is no memory.
WorkerSlot* map_slot();
void unmap_slot(WorkerSlot* slot);

} // namespace kiln::gates
