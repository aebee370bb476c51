#pragma once
// Executes inputs in a worker: in the worker's own process, or each in a process forked from the
// booted machine (`--isolate=fork`, the reference that the fast way is tested against).

#include <string>

#include "gates/worker/input.h"
#include "gates/worker/worker_slot.h"

namespace kiln::gates {

enum class Isolate : uint8_t {
  kProcess, ///< many inputs a process, the machine reset in between
  kFork,    ///< one input a process
};

class Executor {
 public:
  Executor(Isolate isolate, WorkerSlot& slot) : isolate_(isolate), slot_(slot) {}

  /// Runs the input once. Every execution moves slot.executions twice.
  sim::Outcome run(Phase phase, const Input& input, const sim::ExecuteOptions& options,
                   std::string* words = nullptr);

  Isolate isolate() const { return isolate_; }

 private:
  Isolate isolate_;
  WorkerSlot& slot_;
};

} // namespace kiln::gates
