#pragma once
// Between the scheduler and the policies: the list of what can happen at a scheduling point.
// Internal to sim/.

#include <cstdint>

#include "sim/core.h"

namespace kiln::sim {

struct Alternative {
  enum class Kind : uint8_t {
    kContinue, ///< the current actor goes on
    kRun,      ///< actor `a` runs
    kIrq,      ///< line `b` of CPU `a` is raised
    kSpurious, ///< parked actor `a` wakes for no reason
    kTimeJump, ///< the clock jumps to the next deadline
  };
  Kind kind;
  uint16_t a;
  uint16_t b;
};

/// At most 255, so that one byte of the tape can name each.
struct Alternatives {
  static constexpr unsigned kMost = 255;
  unsigned count = 0;
  Alternative at[kMost];
  bool full() const { return count == kMost; }
  void add(const Alternative& alternative) { at[count++] = alternative; }
};

/// The policy's index into the list (seeded runs); sets core.next_decision to the point at which it
/// wants to be asked again in running code.
unsigned policy_choose(const Alternatives& list, bool blocking);
void init_policy(StrategyKind kind, uint64_t seed);
/// A new actor exists: PCT gives it a priority.
void policy_actor_created(Actor& actor);
/// An actor became runnable: PCT looks again at the next point.
void policy_actor_ready();
/// An actor yields or spins: PCT puts it below all others, or they would never run.
void policy_actor_yielded(Actor& actor);

/// Keeps a decision for the tape.
void record_decision(uint64_t point, unsigned index);

/// Every actor waits or spins, and no deadline is set.
[[noreturn]] void fail_all_wait();

void spin_current(const volatile uint32_t* word, uint32_t seen);
[[noreturn]] void idle_actor_body(unsigned cpu);

} // namespace kiln::sim
