// The ring behind trace.h.

#include "sim/core.h"
#include "sim/engine.h"
#include "sim/trace.h"

namespace kiln::sim {

RawTrace trace_ring[kTraceRing];
uint64_t trace_count;
void (*trace_sink)(const TraceEvent&);

// Actors above the tasks are idle CPUs.
static uint16_t task_or_none(uint16_t actor) {
  return actor >= kMaxTasks ? static_cast<uint16_t>(kNoTask) : actor;
}

static TraceEvent expand(const RawTrace& raw) {
  TraceEvent event{};
  event.clock_ns = raw.clock;
  event.point = raw.point;
  event.kind = raw.kind;
  event.cpu = raw.cpu;
  event.context = raw.context;
  event.task = task_or_none(raw.task);
  event.other = raw.kind == TraceKind::kSwitch ? task_or_none(raw.other) : raw.other;
  event.value = raw.value;
  event.pc = raw.pc;
  event.text = raw.text;
  return event;
}

void trace_overflow(const RawTrace& event) { trace_sink(expand(event)); }

void set_trace_sink(void (*sink)(const TraceEvent&)) { trace_sink = sink; }

std::vector<TraceEvent> trace_tail(size_t most) {
  uint64_t kept = trace_count < kTraceRing ? trace_count : kTraceRing;
  uint64_t count = most < kept ? most : kept;
  std::vector<TraceEvent> tail;
  for (uint64_t i = trace_count - count; i < trace_count; ++i) {
    tail.push_back(expand(trace_ring[i % kTraceRing]));
  }
  return tail;
}

} // namespace kiln::sim
