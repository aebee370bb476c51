#pragma once
// The trace: a ring of fixed-size events, always on. It lies outside the machine.

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::sim {

/// What happened; behind it what `other`, `value` and `text` hold, 0 or null where nothing is said.
/// `task`, `cpu` and `context` are always those of whoever executed.
enum class TraceKind : uint8_t {
  kSwitch,     ///< other: who executes from here on
  kTaskCreate, ///< other: the new task; text: its name
  kTaskEnd,    ///< other: the task; text: its name
  kPark,       ///< value: deadline, UINT64_MAX = never; text: what is waited for
  kUnpark,     ///< other: the task woken; value: 1 = for no reason; text: its name
  kYield,
  kSpin,
  kLockAcquire,  ///< about to be taken; text: the lock's class
  kLockAcquired, ///< text: the lock's class
  kLockRelease,  ///< text: the lock's class
  kIrqRaise,     ///< other: CPU; value: line
  kIrqEnter,     ///< value: line
  kIrqLeave,     ///< value: line
  kSoftIrqEnter,
  kSoftIrqLeave,
  kTimerArm,  ///< value: deadline, UINT64_MAX = disarmed
  kTimerFire, ///< value: CPU
  kClockJump, ///< value: the new time
  kAlloc,     ///< value: bytes
  kFree,
  kAllocFail,  ///< value: bytes
  kWorldEvent, ///< value: when it was due
  kNote,       ///< text: the note
  kFinding,
  kConsole, ///< value: bytes
  kStep,    ///< value: address of the static words for it; text: the object's name
};
/// "switch", "lock-acquired", ...
std::string_view trace_kind_name(TraceKind kind);

inline constexpr unsigned kNoTask = 0xFFFF;

struct TraceEvent {
  uint64_t clock_ns;
  uint64_t point; ///< scheduling point
  TraceKind kind;
  uint8_t cpu;
  uint8_t context; ///< HalContext's numbering
  uint8_t reserved;
  uint16_t task;    ///< number of the task, kNoTask for an idle CPU
  uint16_t other;   ///< the task switched to, woken, created
  uint64_t value;   ///< size, deadline, line: depends on kind
  uint64_t pc;      ///< site in the kernel, 0 when not known
  const char* text; ///< a lock's class, a task's name, a note; null when there is none
};

/// One line in words: "     1.204 us  cpu1 writer  takes lock 'inode'". The first form asks
/// task_name; the second is for where the machine is not: `task` is who executes, `other` the name
/// of event.other.
std::string describe(const TraceEvent& event);
std::string describe(const TraceEvent& event, std::string_view task, std::string_view other);
/// The same without time, CPU and task: "takes lock 'inode'".
std::string describe_action(const TraceEvent& event, std::string_view other);
/// "1.204 us", "3 ns", "2.000000 s": nothing is rounded away but below a thousandth of the unit.
std::string describe_time(uint64_t ns);

/// Name of the task with this number in the last run; "(idle)" for none. Static text.
const char* task_name(unsigned task);

} // namespace kiln::sim
