#include "gates/worker/parting.h"

#include <algorithm>
#include <utility>

#include "sim/host_memory.h"

namespace kiln::gates {

namespace {

// Enough for any sensible run; a run away from its end must not eat the host's memory.
constexpr size_t kMostEvents = 1'000'000;
constexpr unsigned kMostNamed = 64;

TraceLog* kept = nullptr;

void keep(const sim::TraceEvent& event) {
  if (kept->events.size() >= kMostEvents) return;
  sim::HostMemory outlives_the_input;
  kept->events.push_back(event);
  if (event.text == nullptr) return;
  // Notes live in a ring that moves on; names repeat, mostly the one before.
  if (kept->texts.empty() || kept->texts.back() != event.text) kept->texts.push_back(event.text);
  kept->events.back().text = kept->texts.back().c_str();
}

TraceLog trace_of(Executor& executor, const Input& input, const sim::ExecuteOptions& options) {
  TraceKeeper keeper;
  executor.run(Phase::kRepeat, input, options);
  return keeper.take();
}

/// Whether two events are the same step of a run. Texts are not compared: they are names.
bool same_step(const sim::TraceEvent& a, const sim::TraceEvent& b) {
  return a.kind == b.kind && a.clock_ns == b.clock_ns && a.point == b.point && a.cpu == b.cpu &&
         a.context == b.context && a.task == b.task && a.other == b.other && a.value == b.value &&
         a.pc == b.pc;
}

} // namespace

TraceKeeper::TraceKeeper() {
  kept = new TraceLog;
  sim::set_trace_sink(keep);
}

TraceKeeper::~TraceKeeper() {
  sim::set_trace_sink(nullptr);
  delete kept;
  kept = nullptr;
}

TraceLog TraceKeeper::take() {
  TraceLog log = std::exchange(*kept, {});
  for (unsigned task = 0; task < kMostNamed; ++task) {
    std::string_view name = sim::task_name(task);
    log.task_names.emplace_back(name == "(idle)" ? "" : name);
  }
  return log;
}

Parting find_parting(Executor& executor, const Input& input, const sim::ExecuteOptions& first,
                     const sim::ExecuteOptions& second) {
  Parting parting;
  if (executor.isolate() == Isolate::kFork) return parting;
  TraceLog a = trace_of(executor, input, first);
  TraceLog b = trace_of(executor, input, second);
  size_t common = std::min(a.events.size(), b.events.size());
  size_t at = 0;
  while (at < common && same_step(a.events[at], b.events[at]))
    ++at;
  if (at < b.events.size()) {
    parting = {true, b.events[at]};
  } else if (at < a.events.size()) {
    parting = {true, a.events[at]};
  }
  parting.at.text = nullptr;
  return parting;
}

} // namespace kiln::gates
