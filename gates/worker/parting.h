#pragma once
// Where two runs of one input part: the first event of their traces that differs.

#include "gates/worker/executor.h"

namespace kiln::gates {

struct Parting {
  bool found = false;
  sim::TraceEvent at{}; ///< of the second run; of the first where the second ended early
  const sim::TraceEvent* event() const { return found ? &at : nullptr; }
};

/// Runs the input twice and compares. Nothing is found when the traces agree, or when each run has
/// a process of its own (their traces end with it).
Parting find_parting(Executor& executor, const Input& input, const sim::ExecuteOptions& first,
                     const sim::ExecuteOptions& second);

/// While one lives, every trace event of this process is kept.
class TraceKeeper {
 public:
  TraceKeeper();
  ~TraceKeeper();
  TraceKeeper(const TraceKeeper&) = delete;
  TraceKeeper& operator=(const TraceKeeper&) = delete;
  /// The events so far; their texts are copied and live in the log.
  TraceLog take();
};

} // namespace kiln::gates
