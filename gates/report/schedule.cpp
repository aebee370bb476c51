#include "gates/report/schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "gates/report/task_names.h"

namespace kiln::gates {
namespace {

using sim::TraceEvent;
using sim::TraceKind;

constexpr size_t kActionsShown = 8;
constexpr const char* kPreempted = "is preempted";

/// What one task does between two switches.
struct Step {
  unsigned task = sim::kNoTask;
  unsigned cpu = UINT8_MAX;
  std::vector<std::string> actions;
  std::string end = kPreempted;
  bool matters = false; ///< more than an idle CPU being idle
};

/// A lock taken in the step that is being told, and where it stands in the step's actions.
struct OpenLock {
  const char* name;
  size_t action;
};

class Teller {
 public:
  Teller(const TraceLog& log, const sim::Finding& finding, Symbolizer& symbolizer)
      : finding_(finding), symbolizer_(symbolizer), names_(log) {
    if (!log.events.empty()) step_.task = log.events.front().task;
    for (const TraceEvent& event : log.events)
      take(event);
    if (step_.end == kPreempted) step_.end.clear(); // by the end of the run
    close();
  }

  std::vector<std::string> steps;

 private:
  bool speaks_of(const char* lock) const {
    std::string quoted = fmt::format("'{}'", lock);
    auto has = [&](const char* text) { return std::string_view(text).find(quoted) < SIZE_MAX; };
    if (has(finding_.headline) || has(finding_.other_label)) return true;
    return std::any_of(
        finding_.held, finding_.held + finding_.held_count,
        [&](const sim::HeldLock& held) { return std::string_view(held.name) == lock; });
  }

  std::string place(const TraceEvent& event) {
    if (event.pc == 0) return "";
    std::string where = file_and_line(symbolizer_.at(event.pc).front());
    return where.empty() ? "" : fmt::format(" ({})", where);
  }

  void act(std::string what) {
    step_.actions.push_back(std::move(what));
    step_.matters = true;
  }

  void take(const TraceEvent& event) {
    if (step_.cpu == UINT8_MAX) step_.cpu = event.cpu;
    const char* text = event.text == nullptr ? "" : event.text;
    switch (event.kind) {
    case TraceKind::kSwitch:
      close();
      step_.task = event.other;
      return;
    case TraceKind::kPark:
    case TraceKind::kYield:
    case TraceKind::kSpin:
    case TraceKind::kTaskEnd:
      step_.end = sim::describe_action(event, "") + place(event);
      step_.matters = true;
      return;
    case TraceKind::kLockAcquire:
      return want_lock(text, event);
    case TraceKind::kLockAcquired:
      return get_lock(text, event);
    case TraceKind::kLockRelease:
      return let_go(text);
    case TraceKind::kIrqRaise:
    case TraceKind::kTimerArm:
    case TraceKind::kAlloc:
    case TraceKind::kFree:
    case TraceKind::kConsole:
      return;
    default:
      step_.end = kPreempted;
      act(event.kind == TraceKind::kFinding
              ? "breaks the rule"
              : sim::describe_action(event, other_name(names_, event)));
    }
  }

  void want_lock(const char* name, const TraceEvent& event) {
    act(fmt::format("wants lock '{}'{}", name, place(event)));
    wanted_ = name;
  }

  void get_lock(const char* name, const TraceEvent& event) {
    step_.end = kPreempted;
    bool just_wanted = wanted_ != nullptr && std::string_view(wanted_) == name &&
                       !step_.actions.empty() && step_.actions.back().starts_with("wants");
    if (just_wanted) step_.actions.pop_back();
    wanted_ = nullptr;
    open_.push_back({name, step_.actions.size()});
    act(fmt::format("takes lock '{}'{}", name, place(event)));
  }

  void let_go(const char* name) {
    step_.end = kPreempted;
    auto open = std::find_if(open_.rbegin(), open_.rend(), [&](const OpenLock& lock) {
      return std::string_view(lock.name) == name;
    });
    if (open == open_.rend() || speaks_of(name)) {
      act(fmt::format("releases lock '{}'", name));
    } else if (open->action + 1 == step_.actions.size()) {
      step_.actions.pop_back(); // taken and released with nothing in between
    } else {
      act(fmt::format("releases lock '{}'", name));
    }
    if (open != open_.rend()) open_.erase(std::next(open).base());
  }

  void close() {
    if (step_.matters || step_.task != sim::kNoTask) steps.push_back(told());
    step_ = Step{};
    open_.clear();
    wanted_ = nullptr;
  }

  std::string told() const {
    std::string line = names_.of(step_.task);
    if (step_.cpu != UINT8_MAX) line += fmt::format(" on cpu{}", step_.cpu);
    size_t count = step_.actions.size();
    for (size_t i = 0; i < count; ++i) {
      // The first two and the last ones; the middle of a long step is for the trace.
      if (count > kActionsShown && i == 2) {
        size_t skipped = count - kActionsShown;
        line += fmt::format(", ... {} more", skipped);
        i += skipped;
      }
      line += (i == 0 ? ": " : ", ") + step_.actions[i];
    }
    if (!step_.end.empty()) line += (count == 0 ? " " : "; ") + step_.end;
    return line;
  }

  const sim::Finding& finding_;
  Symbolizer& symbolizer_;
  TaskNames names_;
  Step step_;
  std::vector<OpenLock> open_;
  const char* wanted_ = nullptr;
};

} // namespace

std::vector<std::string> schedule_steps(const TraceLog& log, const sim::Finding& finding,
                                        Symbolizer& symbolizer, size_t most) {
  std::vector<std::string> all = Teller(log, finding, symbolizer).steps;
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = fmt::format("{:3}. {}", i + 1, all[i]);
  size_t skipped = all.size() > most ? all.size() - most : 0;
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(skipped));
  return all;
}

} // namespace kiln::gates
