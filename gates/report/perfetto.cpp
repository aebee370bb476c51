#include "gates/report/perfetto.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "gates/report/task_names.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::ordered_json;
using sim::TraceEvent;
using sim::TraceKind;

constexpr int kCpus = 1;  // "process" of the CPUs' tracks
constexpr int kTasks = 2; // "process" of the tasks' tracks

struct Track {
  int process;
  unsigned thread;
};
Track cpu_track(unsigned cpu) { return {kCpus, 2 * cpu}; }
Track interrupt_track(unsigned cpu) { return {kCpus, 2 * cpu + 1}; }
Track task_track(unsigned task) { return {kTasks, task}; }

/// One stretch of executing, between two switches.
struct Stretch {
  unsigned task;
  unsigned cpu;
  uint64_t begin;
  uint64_t end;
};

class Exporter {
 public:
  Exporter(const TraceLog& log, Symbolizer* symbolizer)
      : log_(log), names_(log), symbolizer_(symbolizer) {
    // Much happens at one instant of virtual time; a nanosecond an event gives it a width.
    uint64_t number = 0;
    for (TraceEvent& event : log_.events)
      event.clock_ns += number++;
  }

  std::string run() {
    name_process(kCpus, "CPUs");
    name_process(kTasks, "Tasks");
    find_stretches();
    for (const TraceEvent& event : log_.events) {
      enter_stretch(event);
      take(event);
    }
    close_all();
    Json json;
    json["displayTimeUnit"] = "ns";
    json["traceEvents"] = std::move(events_);
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  // --- Writing

  /// The format counts in microseconds.
  static double micros(uint64_t ns) { return static_cast<double>(ns) / 1000; }

  Json& add(const char* phase, Track track, uint64_t ns, std::string name) {
    name_track(track);
    Json event;
    event["ph"] = phase;
    event["name"] = std::move(name);
    event["pid"] = track.process;
    event["tid"] = track.thread;
    event["ts"] = micros(ns);
    events_.push_back(std::move(event));
    return events_.back();
  }

  void add_slice(Track track, uint64_t begin, uint64_t end, std::string name) {
    add("X", track, begin, std::move(name))["dur"] = micros(end - begin);
  }

  void name_process(int process, const char* name) {
    events_.push_back(
        {{"ph", "M"}, {"name", "process_name"}, {"pid", process}, {"args", {{"name", name}}}});
  }

  void name_track(Track track) {
    if (!named_.insert({{track.process, track.thread}, true}).second) return;
    unsigned cpu = track.thread / 2;
    std::string name = track.process == kTasks ? names_.of(track.thread)
                       : track.thread % 2 == 0 ? fmt::format("cpu{}", cpu)
                                               : fmt::format("cpu{} interrupts", cpu);
    events_.push_back({{"ph", "M"},
                       {"name", "thread_name"},
                       {"pid", track.process},
                       {"tid", track.thread},
                       {"args", {{"name", name}}}});
  }

  /// Where in the kernel, and what exactly.
  void explain(Json& json, const TraceEvent& event) {
    json["args"]["what"] = sim::describe_action(event, other_name(names_, event));
    json["args"]["point"] = event.point;
    if (symbolizer_ != nullptr && event.pc != 0) {
      json["args"]["place"] = symbolizer_->place(event.pc);
    }
  }

  // --- Who executes

  /// A switch comes from the task before it, which may have lost its CPU by then: the CPU of a
  /// stretch is that of the first event in it that has one.
  void find_stretches() {
    if (log_.events.empty()) return;
    const TraceEvent& first = log_.events.front();
    std::map<unsigned, unsigned> last_cpu;
    Stretch now{first.task, UINT8_MAX, first.clock_ns, first.clock_ns};
    auto close = [&](uint64_t end) {
      now.end = end;
      if (now.cpu == UINT8_MAX) now.cpu = last_cpu.contains(now.task) ? last_cpu[now.task] : 0;
      last_cpu[now.task] = now.cpu;
      stretches_.push_back(now);
    };
    for (const TraceEvent& event : log_.events) {
      if (now.cpu == UINT8_MAX && event.cpu != UINT8_MAX) now.cpu = event.cpu;
      if (event.kind != TraceKind::kSwitch) continue;
      close(event.clock_ns);
      now = {event.other, UINT8_MAX, event.clock_ns, event.clock_ns};
    }
    close(log_.events.back().clock_ns);
  }

  void enter_stretch(const TraceEvent& event) {
    if (stretch_ == 0) begin_stretch(stretches_[stretch_++]);
    if (event.kind == TraceKind::kSwitch && stretch_ < stretches_.size()) {
      begin_stretch(stretches_[stretch_++]);
    }
  }

  void begin_stretch(const Stretch& stretch) {
    if (stretch.task == sim::kNoTask) return;
    end_idle_state(stretch.task, stretch.begin);
    add_slice(cpu_track(stretch.cpu), stretch.begin, stretch.end, names_.of(stretch.task));
    add_slice(task_track(stretch.task), stretch.begin, stretch.end,
              fmt::format("runs on cpu{}", stretch.cpu));
    if (auto wake = wakes_.find(stretch.task); wake != wakes_.end()) {
      Json& arrow = add("f", task_track(stretch.task), stretch.begin, "wake");
      arrow["cat"] = "wake";
      arrow["id"] = wake->second;
      arrow["bp"] = "e";
      wakes_.erase(wake);
    }
    // Not waiting and not executing afterwards: ready, unless a park or an end says otherwise.
    idle_state_[stretch.task] = {"ready", stretch.end};
  }

  /// The slice of what a task did while it did not execute.
  void end_idle_state(unsigned task, uint64_t now) {
    auto state = idle_state_.find(task);
    if (state == idle_state_.end()) return;
    auto [name, since] = state->second;
    if (!name.empty() && now > since) add_slice(task_track(task), since, now, name);
    idle_state_.erase(state);
  }

  uint64_t end_of_stretch() const { return stretches_[stretch_ - 1].end; }

  // --- Events

  void take(const TraceEvent& event) {
    switch (event.kind) {
    case TraceKind::kPark:
      idle_state_[event.task] = {sim::describe_action(event, ""), end_of_stretch()};
      break;
    case TraceKind::kTaskEnd:
      idle_state_[event.other] = {"", end_of_stretch()};
      break;
    case TraceKind::kUnpark:
      return take_wake(event);
    case TraceKind::kLockAcquired:
      return take_lock(event);
    case TraceKind::kLockRelease:
      return end_lock(event.task, event.text, event.clock_ns);
    case TraceKind::kIrqEnter:
      return enter_interrupt(event, fmt::format("interrupt {}", event.value));
    case TraceKind::kSoftIrqEnter:
      return enter_interrupt(event, "soft IRQs");
    case TraceKind::kIrqLeave:
    case TraceKind::kSoftIrqLeave:
      return leave_interrupt(event.cpu, event.clock_ns);
    case TraceKind::kNote:
    case TraceKind::kFinding:
    case TraceKind::kAllocFail:
    case TraceKind::kTimerFire:
    case TraceKind::kClockJump:
    case TraceKind::kWorldEvent:
    case TraceKind::kConsole:
    case TraceKind::kTaskCreate:
      return add_mark(event);
    default:
      break;
    }
  }

  Track where(const TraceEvent& event) const {
    unsigned cpu = event.cpu == UINT8_MAX ? 0 : event.cpu;
    if (event.context != 0) return interrupt_track(cpu);
    return event.task == sim::kNoTask ? cpu_track(cpu) : task_track(event.task);
  }

  void add_mark(const TraceEvent& event) {
    Json& mark = add("i", where(event), event.clock_ns,
                     sim::describe_action(event, other_name(names_, event)));
    mark["s"] = event.kind == TraceKind::kFinding ? "g" : "t"; // over all tracks, or on its own
    explain(mark, event);
  }

  void take_wake(const TraceEvent& event) {
    if (auto state = idle_state_.find(event.other);
        state != idle_state_.end() && event.clock_ns >= state->second.second) {
      end_idle_state(event.other, event.clock_ns);
      idle_state_[event.other] = {"ready", event.clock_ns};
    }
    if (event.value != 0) return; // nobody woke it
    unsigned id = ++arrows_;
    Json& arrow = add("s", where(event), event.clock_ns, "wake");
    arrow["cat"] = "wake";
    arrow["id"] = id;
    explain(arrow, event);
    wakes_[event.other] = id;
  }

  void enter_interrupt(const TraceEvent& event, std::string name) {
    explain(add("B", interrupt_track(event.cpu), event.clock_ns, std::move(name)), event);
    ++open_interrupts_[event.cpu];
  }

  void leave_interrupt(unsigned cpu, uint64_t now) {
    if (open_interrupts_[cpu] == 0) return; // entered before the trace begins
    --open_interrupts_[cpu];
    add("E", interrupt_track(cpu), now, "");
  }

  /// Locks need not nest: slices of their own beside the task ("async" in the format).
  void take_lock(const TraceEvent& event) {
    std::string name = fmt::format("holds '{}'", event.text == nullptr ? "" : event.text);
    unsigned id = ++locks_taken_;
    Json& slice = add("b", task_track(event.task), event.clock_ns, name);
    slice["cat"] = "lock";
    slice["id"] = id;
    explain(slice, event);
    held_[{event.task, event.text == nullptr ? "" : event.text}].push_back(id);
  }

  void end_lock(unsigned task, const char* text, uint64_t now) {
    auto held = held_.find({task, text == nullptr ? "" : text});
    if (held == held_.end() || held->second.empty()) return; // taken before the trace begins
    close_lock(task, held->first.second, held->second.back(), now);
    held->second.pop_back();
  }

  void close_lock(unsigned task, const std::string& lock, unsigned id, uint64_t now) {
    Json& slice = add("e", task_track(task), now, fmt::format("holds '{}'", lock));
    slice["cat"] = "lock";
    slice["id"] = id;
  }

  /// A finding ends a run in the middle.
  void close_all() {
    if (log_.events.empty()) return;
    uint64_t now = log_.events.back().clock_ns;
    for (const auto& [holder, ids] : held_) {
      for (unsigned id : ids)
        close_lock(holder.first, holder.second, id, now);
    }
    for (auto& [cpu, count] : open_interrupts_) {
      while (count > 0)
        leave_interrupt(cpu, now);
    }
    auto idle = idle_state_;
    for (const auto& [task, state] : idle)
      end_idle_state(task, now);
  }

  TraceLog log_;
  TaskNames names_;
  Symbolizer* symbolizer_;
  Json events_ = Json::array();
  std::vector<Stretch> stretches_;
  size_t stretch_ = 0; ///< next to begin
  std::map<std::pair<int, unsigned>, bool> named_;
  std::map<unsigned, std::pair<std::string, uint64_t>> idle_state_; ///< task -> what, since when
  std::map<unsigned, unsigned> wakes_;                              ///< task -> its arrow
  std::map<unsigned, unsigned> open_interrupts_;                    ///< CPU -> how many
  std::map<std::pair<unsigned, std::string>, std::vector<unsigned>> held_;
  unsigned arrows_ = 0;
  unsigned locks_taken_ = 0;
};

} // namespace

std::string trace_to_perfetto(const TraceLog& log, Symbolizer* symbolizer) {
  return Exporter(log, symbolizer).run();
}

} // namespace kiln::gates
