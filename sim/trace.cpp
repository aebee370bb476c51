// Trace events in words. The ring that holds them is the machine's.

#include "sim/trace.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <iterator>

namespace kiln::sim {
namespace {

// clang-format off
constexpr std::string_view kNames[] = {
    "switch", "task-create", "task-end", "park", "unpark", "yield", "spin",
    "lock-acquire", "lock-acquired", "lock-release",
    "irq-raise", "irq-enter", "irq-leave", "softirq-enter", "softirq-leave",
    "timer-arm", "timer-fire", "clock-jump",
    "alloc", "free", "alloc-fail",
    "world-event", "note", "finding", "console", "step",
};
// clang-format on
static_assert(std::size(kNames) == static_cast<size_t>(TraceKind::kStep) + 1);

constexpr const char* kContexts[] = {"", " [soft IRQ]", " [IRQ]", " [NMI]"};

__attribute__((format(printf, 1, 2))) std::string text(const char* format, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string until(uint64_t deadline) {
  return deadline == UINT64_MAX ? "" : ", at most until " + describe_time(deadline);
}

} // namespace

std::string_view trace_kind_name(TraceKind kind) { return kNames[static_cast<size_t>(kind)]; }

std::string describe_time(uint64_t ns) {
  if (ns < 1000) return text("%" PRIu64 " ns", ns);
  if (ns < 1'000'000) return text("%" PRIu64 ".%03" PRIu64 " us", ns / 1000, ns % 1000);
  if (ns < 1'000'000'000) {
    return text("%" PRIu64 ".%03" PRIu64 " ms", ns / 1'000'000, ns / 1000 % 1000);
  }
  return text("%" PRIu64 ".%06" PRIu64 " s", ns / 1'000'000'000, ns / 1000 % 1'000'000);
}

std::string describe_action(const TraceEvent& event, std::string_view other_name) {
  const std::string other(other_name);
  const char* what = event.text == nullptr ? "" : event.text;
  switch (event.kind) {
  case TraceKind::kSwitch:
    return "-> " + other;
  case TraceKind::kTaskCreate:
    return "creates task " + other;
  case TraceKind::kTaskEnd:
    return "ends";
  case TraceKind::kPark:
    return text("waits for %s", *what == 0 ? "a wake-up" : what) + until(event.value);
  case TraceKind::kUnpark:
    return event.value == 0 ? "wakes " + other : other + " wakes for no reason";
  case TraceKind::kYield:
    return "yields";
  case TraceKind::kSpin:
    return "spins";
  case TraceKind::kLockAcquire:
    return text("wants lock '%s'", what);
  case TraceKind::kLockAcquired:
    return text("takes lock '%s'", what);
  case TraceKind::kLockRelease:
    return text("releases lock '%s'", what);
  case TraceKind::kIrqRaise:
    return text("raises interrupt %" PRIu64 " on cpu%u", event.value, event.other);
  case TraceKind::kIrqEnter:
    return text("interrupt %" PRIu64 " begins", event.value);
  case TraceKind::kIrqLeave:
    return text("interrupt %" PRIu64 " ends", event.value);
  case TraceKind::kSoftIrqEnter:
    return "soft IRQs begin";
  case TraceKind::kSoftIrqLeave:
    return "soft IRQs end";
  case TraceKind::kTimerArm:
    return event.value == UINT64_MAX ? "disarms the timer"
                                     : "arms the timer for " + describe_time(event.value);
  case TraceKind::kTimerFire:
    return text("the timer of cpu%" PRIu64 " fires", event.value);
  case TraceKind::kClockJump:
    return "the clock jumps to " + describe_time(event.value);
  case TraceKind::kAlloc:
    return text("allocates %" PRIu64 " bytes", event.value);
  case TraceKind::kFree:
    return "frees memory";
  case TraceKind::kAllocFail:
    return text("is refused %" PRIu64 " bytes", event.value);
  case TraceKind::kWorldEvent:
    return "a world event, due at " + describe_time(event.value);
  case TraceKind::kNote:
    return text("note: %s", what);
  case TraceKind::kFinding:
    return "FINDING";
  case TraceKind::kConsole:
    return text("writes %" PRIu64 " bytes to the console", event.value);
  case TraceKind::kStep:
    return reinterpret_cast<const char*>(event.value) + (*what == 0 ? "" : text(" '%s'", what));
  }
  return "";
}

std::string describe(const TraceEvent& event, std::string_view task, std::string_view other) {
  std::string cpu = event.cpu == UINT8_MAX ? "-" : text("cpu%u", event.cpu);
  std::string time = describe_time(event.clock_ns);
  std::string line = text("%12s  %-4s ", time.c_str(), cpu.c_str());
  line += task;
  line += event.context < std::size(kContexts) ? kContexts[event.context] : "";
  return line + "  " + describe_action(event, other);
}

std::string describe(const TraceEvent& event) {
  bool has_name = event.kind == TraceKind::kTaskCreate || event.kind == TraceKind::kUnpark;
  const char* other = has_name && event.text != nullptr ? event.text : task_name(event.other);
  return describe(event, task_name(event.task), other);
}

} // namespace kiln::sim
