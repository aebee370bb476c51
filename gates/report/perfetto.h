#pragma once
// A trace for https://ui.perfetto.dev or chrome://tracing: the JSON of Google's "Trace Event
// Format", on virtual time.
//
//   process "CPUs"   a track a CPU: which task executes there; a second one: interrupts, soft IRQs
//   process "Tasks"  a track a task: executing, waiting (for what), ready; locks held as slices
//                    beside it; an arrow from each wake to where the woken task goes on
//
// Of several CPUs one executes at a time (that is what makes a run repeatable): a task that is in
// the middle of code on another CPU meanwhile has no slice.

#include <string>

#include "gates/finding/found.h"
#include "gates/finding/symbolize.h"

namespace kiln::gates {

/// `symbolizer` may be null: events then carry no place.
std::string trace_to_perfetto(const TraceLog& log, Symbolizer* symbolizer);

} // namespace kiln::gates
