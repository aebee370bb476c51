#include "gates/worker/executor.h"

#include "gates/worker/forked_run.h"

namespace kiln::gates {

sim::Outcome Executor::run(Phase phase, const Input& input, const sim::ExecuteOptions& options,
                           std::string* words) {
  slot_.running.store(phase, std::memory_order_relaxed);
  slot_.executions.fetch_add(1, std::memory_order_relaxed);
  sim::Outcome outcome = isolate_ == Isolate::kFork ? execute_forked(slot_, input, options, words)
                                                    : execute_input(input, options, words);
  slot_.executions.fetch_add(1, std::memory_order_relaxed);
  slot_.running.store(Phase::kIdle, std::memory_order_relaxed);
  return outcome;
}

} // namespace kiln::gates
