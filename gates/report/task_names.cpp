#include "gates/report/task_names.h"

#include <fmt/format.h>
#include <map>

namespace kiln::gates {

using sim::TraceKind;

namespace {

/// Whether event.other is a task.
bool is_about_a_task(TraceKind kind) {
  return kind == TraceKind::kSwitch || kind == TraceKind::kTaskCreate ||
         kind == TraceKind::kTaskEnd || kind == TraceKind::kUnpark;
}

} // namespace

TaskNames::TaskNames(const TraceLog& log) : names_(log.task_names) {
  for (const sim::TraceEvent& event : log.events) {
    bool names_it = is_about_a_task(event.kind) && event.kind != TraceKind::kSwitch;
    if (!names_it || event.text == nullptr || event.other == sim::kNoTask) continue;
    if (names_.size() <= event.other) names_.resize(event.other + size_t{1});
    if (names_[event.other].empty()) names_[event.other] = event.text;
  }
  number_namesakes();
}

/// Tasks of one name: "reader", "reader#2", ...
void TaskNames::number_namesakes() {
  std::map<std::string, unsigned> seen;
  for (std::string& name : names_) {
    if (name.empty() || name.starts_with('(')) continue; // "(idle)" has its CPU beside it
    unsigned count = ++seen[name];
    if (count > 1) name += fmt::format("#{}", count);
  }
}

std::string TaskNames::of(unsigned task) const {
  if (task == sim::kNoTask) return "(idle)";
  if (task < names_.size() && !names_[task].empty()) return names_[task];
  return fmt::format("task {}", task);
}

std::string other_name(const TaskNames& names, const sim::TraceEvent& event) {
  return is_about_a_task(event.kind) ? names.of(event.other) : "";
}

} // namespace kiln::gates
