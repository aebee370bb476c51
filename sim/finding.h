#pragma once
// A finding as the machine reports it: plain data of fixed size, so that it crosses a pipe as it
// is. Symbols are looked up later, in another process (gates/finding/symbolize.h).

#include <cstdint>

#include "sim/rules.h"

namespace kiln::sim {

inline constexpr unsigned kStackFrames = 32;
inline constexpr unsigned kTaskStacks = 16;
inline constexpr unsigned kHeldShown = 8;

/// Return addresses, innermost first; count 0 = not known. Whoever has the address of an
/// instruction instead (a fault's) adds 1: symbols are looked up one byte before.
struct Stack {
  uint32_t count;
  uint32_t reserved;
  uint64_t pc[kStackFrames];
};

struct HeldLock {
  char name[40];
  uint64_t site; ///< where it was taken
};

struct TaskStack {
  char name[32];
  char state[96]; ///< "runs", "waits for mutex 'inode' held by 'writer'", ...
  uint32_t cpu;   ///< UINT32_MAX when on none
  uint32_t reserved;
  Stack stack;
};

struct Finding {
  Rule rule;
  uint8_t has_other; ///< `other` is filled
  uint8_t context;   ///< HalContext's numbering
  uint8_t cpu;
  char headline[512]; ///< one sentence; no address in it
  char task[32];
  char other_label[128]; ///< what the second stack is ("lock 'a' was taken here")
  uint64_t clock_ns;
  uint64_t point; ///< scheduling point
  Stack stack;    ///< where the rule broke
  Stack other;    ///< the other site
  uint32_t held_count;
  HeldLock held[kHeldShown];
  uint32_t task_count; ///< the other tasks; filled when details are on
  TaskStack tasks[kTaskStacks];
};

} // namespace kiln::sim
