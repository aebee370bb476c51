#pragma once
// The trace: a ring of fixed-size events, always on. It lies outside the machine.

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::sim {

enum class TraceKind : uint8_t {
  kRunBegin, kRunEnd, kSwitch, kTaskCreate, kTaskEnd, kPark, kUnpark, kYield, kSpin,
  kLockAcquire, kLockAcquired, kLockRelease, kIrqRaise, kIrqEnter, kIrqLeave, kSoftIrqEnter,
  kSoftIrqLeave, kTimerArm, kTimerFire, kClockJump, kAlloc, kFree, kAllocFail, kWorldEvent, kNote,
  kFinding, kConsole,
};
std::string_view trace_kind_name(TraceKind kind);

inline constexpr unsigned kNoTask = 0xFFFF;

struct TraceEvent {
  uint64_t clock_ns;
  uint64_t point;    ///< scheduling point
  TraceKind kind;
  uint8_t cpu;
  uint8_t context;   ///< HalContext's numbering
  uint8_t reserved;
  uint16_t task;     ///< number of the task, kNoTask for an idle CPU
  uint16_t other;    ///< the task switched to, woken, created
  uint64_t value;    ///< size, deadline, line: depends on kind
  uint64_t pc;       ///< site in the kernel, 0 when not known
  const char* text;  ///< a lock's class, a task's name, a note; null when there is none
};

/// One line in words: "  1.204 us  cpu1 writer  takes lock 'inode'".
std::string describe(const TraceEvent& event);

}  // namespace kiln::sim
