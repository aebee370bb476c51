#include "gates/report/decode_schedule.h"

#include <algorithm>
#include <fmt/format.h>

#include "gates/report/task_names.h"

namespace kiln::gates {
namespace {

using sim::TraceEvent;
using sim::TraceKind;

/// What a decision can do.
bool is_effect(const TraceEvent& event) {
  switch (event.kind) {
  case TraceKind::kSwitch:
  case TraceKind::kIrqRaise:
  case TraceKind::kClockJump:
    return true;
  case TraceKind::kUnpark:
    return event.value != 0;
  default:
    return false;
  }
}

/// What the machine does while a task stands where it stood.
bool is_machine_work(const TraceEvent& event) {
  return is_effect(event) || event.kind == TraceKind::kTimerFire ||
         event.kind == TraceKind::kWorldEvent;
}

/// Whether the task could not have gone on: it has left its CPU, or spins.
bool has_stopped(const TraceEvent& event, const TraceEvent* before) {
  return event.cpu == UINT8_MAX || (before != nullptr && before->kind == TraceKind::kSpin);
}

class Teller {
 public:
  Teller(const TraceLog& trace, Symbolizer& symbolizer)
      : events_(trace.events), names_(trace), symbolizer_(symbolizer) {}

  std::string tell(const sim::Decision& decision) {
    auto event =
        std::lower_bound(events_.begin(), events_.end(), decision.point,
                         [](const TraceEvent& e, uint64_t point) { return e.point < point; });
    while (event != events_.end() && event->point == decision.point && !is_effect(*event))
      ++event;
    if (event == events_.end() || event->point != decision.point) {
      return fmt::format("point {:>4}  alternative {}", decision.point, decision.alternative);
    }
    const TraceEvent* before =
        last_of_the_same(*event, static_cast<size_t>(event - events_.begin()));
    return fmt::format("point {:>4} {:>12}  {}: {}", decision.point,
                       sim::describe_time(event->clock_ns), who(*event, before),
                       effect(*event, has_stopped(*event, before)));
  }

 private:
  /// What that task did last; null when it has only just gone on.
  const TraceEvent* last_of_the_same(const TraceEvent& event, size_t index) const {
    while (index-- > 0) {
      const TraceEvent& before = events_[index];
      bool same =
          before.task == event.task && (event.task != sim::kNoTask || before.cpu == event.cpu);
      if (before.kind == TraceKind::kSwitch) return nullptr;
      if (same && !is_machine_work(before)) return &before;
    }
    return nullptr;
  }

  std::string who(const TraceEvent& event, const TraceEvent* before) {
    std::string words = names_.of(event.task);
    if (event.cpu != UINT8_MAX) words += fmt::format(" on cpu{}", event.cpu);
    if (before == nullptr) return words;
    words += " " + sim::describe_action(*before, other_name(names_, *before));
    std::string place = before->pc == 0 ? "" : file_and_line(symbolizer_.at(before->pc).front());
    return place.empty() ? words : fmt::format("{} ({})", words, place);
  }

  std::string effect(const TraceEvent& event, bool stopped) const {
    switch (event.kind) {
    case TraceKind::kSwitch:
      return fmt::format("{} {}", stopped ? "next, out of turn, is" : "preempted by",
                         names_.of(event.other));
    case TraceKind::kIrqRaise:
      return fmt::format("interrupt {} on cpu{}", event.value, event.other);
    default:
      return sim::describe_action(event, other_name(names_, event));
    }
  }

  const std::vector<TraceEvent>& events_;
  TaskNames names_;
  Symbolizer& symbolizer_;
};

} // namespace

std::vector<std::string> decisions_in_words(std::span<const sim::Decision> decisions,
                                            const TraceLog& trace, Symbolizer& symbolizer) {
  Teller teller(trace, symbolizer);
  std::vector<std::string> lines;
  for (const sim::Decision& decision : decisions)
    lines.push_back(teller.tell(decision));
  return lines;
}

} // namespace kiln::gates
