#pragma once
// The machine's state, and the few inline paths that every scheduling point takes. Internal to sim/
// and hal-host/; targets see machine.h.
//
// Everything here is plain data that a reset puts back by copying. An actor is whatever can
// execute: a task, or an idle CPU that takes an interrupt. At any time one actor executes
// (`current`); others may be in the middle of code on other CPUs (kOnCpu), wait for a CPU (kReady),
// spin or be parked.

#include <cstddef>
#include <cstdint>

#include "sim/arena.h"
#include "sim/fiber.h"
#include "sim/finding.h"
#include "sim/layout.h"
#include "sim/lock_order.h"
#include "sim/machine.h"
#include "sim/sched_lane.h"
#include "sim/strategy.h"
#include "sim/trace.h"

namespace kiln::sim {

inline constexpr uint64_t kNever = UINT64_MAX;
inline constexpr unsigned kMaxHeld = 32;
inline constexpr unsigned kMaxTasks = 64;
inline constexpr uint8_t kNoCpu = 0xFF;

enum class ContextKind : uint8_t { kTask, kSoftIrq, kIrq, kNmi };

enum class ActorState : uint8_t {
  kFree,   ///< slot not in use
  kOnCpu,  ///< has a CPU: executes, or is in the middle of code while another executes
  kReady,  ///< wants a CPU
  kParked, ///< in hal_park
  kEnded,  ///< ended, its handle not yet released
  kIdle,   ///< an idle CPU's actor with nothing to do
};

/// What a parked task waits for, in the words of the kernel.
struct WaitInfo {
  const char* what; ///< null: a bare park
  const char* name;
  const void* object;
  const uint32_t* lock_owner; ///< of the lock waited for: its owner's id + 1, 0 = nobody's
  uint16_t owner;             ///< the actor that is joined; kNoTask when none
  uint64_t site;
};

/// What an interrupt or soft IRQ puts aside of the code that it interrupts.
struct SavedContext {
  ContextKind context;
  bool irqs_on;
  bool base_irqs_on;
  uint16_t irq_depth;
  uint16_t preempt_off;
  uint16_t held_base;
  const volatile uint32_t* spin_word;
};

struct Actor {
  Fiber fiber;
  ActorState state;
  ContextKind context;
  uint8_t cpu;  ///< kNoCpu while it has none
  uint8_t home; ///< CPU it ran on last
  bool irqs_on;
  bool base_irqs_on; ///< what irqs_on was when this context was entered
  bool permit;
  bool spurious; ///< woken for no reason
  bool released; ///< handle given up
  bool queued;   ///< in the run queue
  uint16_t id;
  uint16_t irq_depth; ///< nested hal_irq_save
  uint16_t preempt_off;
  uint16_t spin_held;
  uint16_t next, prev; ///< run queue
  uint16_t held_count;
  uint16_t held_base; ///< locks below it belong to the context interrupted
  const volatile uint32_t* spin_word;
  uint32_t spin_seen;
  uint64_t deadline; ///< while parked
  uint64_t affinity;
  uint64_t priority;     ///< PCT
  uintptr_t stack_limit; ///< lowest address within its stack budget; 0 = not judged
  const char* name;
  void (*entry)(void*);
  void* argument;
  uint64_t spawned_at; ///< site
  WaitInfo wait;
  SavedContext below_softirq;
  Held held_rules[kMaxHeld]; ///< locks held, oldest first
  uint16_t held[kMaxHeld];   ///< side table's index of the stack that took each, 0 = none
};

struct Cpu {
  uint16_t occupant; ///< actor that has it, kNoTask when idle
  uint32_t pending;  ///< interrupt lines raised
  uint32_t allowed;  ///< lines that the sched lane may raise
  uint64_t timer;    ///< deadline of its timer, kNever when disarmed
};

struct WorldEvent {
  uint64_t when;
  uint64_t number; ///< first come, first served among equals
  void (*event)(void*);
  void* argument;
};
inline constexpr unsigned kMaxWorldEvents = 256;

struct PolicyState {
  StrategyKind kind;
  uint64_t seed;
  uint64_t draws;
  uint32_t rate;        ///< random walk: one switch in `rate` points; 0 never
  uint64_t next_change; ///< PCT: point of the next priority change
  uint16_t changes_left;
  uint32_t horizon; ///< PCT: change points fall below it
  uint64_t low_priority;
  bool reconsider; ///< somebody became runnable
};

struct Core {
  // The first line is all that a point without event touches.
  uint64_t point;        ///< scheduling points so far
  uint64_t next_event;   ///< point at which something may have to be done
  uintptr_t stack_limit; ///< end of the current task's stack budget
  Actor* current;
  uint64_t digest;

  uint64_t clock;
  uint64_t idle_until;     ///< the clock after the last jump because nobody could run
  uint64_t next_deadline;  ///< earliest of timers, sleepers, world events
  uint64_t clock_reads;    ///< since somebody else could run
  uint64_t progress_point; ///< point of the last progress
  uint64_t switches;
  uint64_t next_decision; ///< replay: point of the next decision; seeded: when to ask the policy
  uint64_t fail_at;       ///< number of the allocation that fails
  uint64_t failed_allocations;
  void (*hear_console)(const char* text, size_t size, void* arg); ///< null: nobody listens
  void* hear_console_arg;
  bool running; ///< an input is under way
  bool booting;
  bool seeded;
  bool details;
  bool recording;
  bool spurious_wakes;
  uint8_t cpu_count;
  uint16_t actor_limit; ///< slots ever used in this run
  uint16_t tasks_alive;
  uint16_t queue_head, queue_tail;
  uint16_t sleepers; ///< parked with a deadline
  uint16_t world_events;
  uint64_t world_numbers;
  uint64_t rules_off; ///< bit n: Rule n
  int64_t resources[8];
  Cpu cpus[kMaxCpus];
  PolicyState policy;
  Arena arena;
};
static_assert(kRuleCount <= 64);

extern Core core;
extern Actor actors[kMaxActors];
extern LockOrder lock_order;
extern WorldEvent world_events[kMaxWorldEvents];
extern Fiber runner_fiber;
extern SchedReader* sched_reader;

inline uint16_t idle_actor_id(unsigned cpu) { return static_cast<uint16_t>(kMaxTasks + cpu); }
inline bool is_idle_actor(const Actor& actor) { return actor.id >= kMaxTasks; }

/// Constant folded into the digest at every event.
inline void mix(uint64_t value) {
  uint64_t d = (core.digest ^ value) * 0xD6E8FEB86659FD93u;
  core.digest = d ^ (d >> 32);
}

// --- findings.cpp

[[noreturn]] void fail_stack_budget();
/// The current task's stack against its budget, at every point: the same ones in a replay.
inline void check_stack() {
  if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < core.stack_limit) [[unlikely]] {
    fail_stack_budget();
  }
}

// --- scheduler.cpp

/// A scheduling point in running code.
void point_event();
inline void point() {
  check_stack();
  if (++core.point >= core.next_event) [[unlikely]] {
    point_event();
  }
}
/// Makes the machine look at the very next point.
inline void look_soon() { core.next_event = core.point + 1; }
/// The current actor cannot go on (it is parked or has ended): runs others until it is chosen
/// again.
void block_current();
/// Puts a ready actor (or an idle CPU with interrupts) at the end of the run queue.
void enqueue(Actor& actor);
void dequeue(Actor& actor);
void made_progress();

// --- clock.cpp

void advance_clock(uint64_t to);
void recompute_deadline();
/// Jumps to the next deadline; false when there is none.
bool jump_clock();

// --- interrupts.cpp

/// Delivers what is pending on the current actor's CPU as long as interrupts are on there.
void take_interrupts();
void raise_line(unsigned cpu, unsigned line);
inline bool interrupts_wait() {
  const Actor& a = *core.current;
  return a.irqs_on && a.cpu != kNoCpu && core.cpus[a.cpu].pending != 0;
}

// --- tasks.cpp

Actor* create_task(const char* name, void (*entry)(void*), void* argument, uint64_t affinity,
                   uint64_t site);
void prepare_actor(Actor& actor, uint16_t id, const char* name, void (*entry)(void*),
                   void* argument);
void wake(Actor& actor, bool spurious);
/// Clears the marks that frames left where this actor was last switched out; below that they have
/// all returned.
void sweep_stack(const Actor& actor);
/// Makes the actor that takes interrupts on an idle CPU.
void prepare_idle_actor(unsigned cpu);
[[noreturn]] void end_current_task();

// --- engine.cpp

/// The first task's body has returned: checks what is left, and leaves the run.
[[noreturn]] void end_run();
/// Leaves the run with the finding in `current_finding`.
[[noreturn]] void abandon_run();

// --- locks.cpp

/// Interrupts have just become possible; locks may be held.
void irqs_turned_on(uint64_t site);

// --- findings.cpp

extern Finding current_finding;

[[noreturn]] void fail_at(Rule rule, const char* other_label, uint64_t other_site,
                          uint16_t other_stack, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
[[noreturn]] void fail_with_stack(Rule rule, const Stack& stack, const char* other_label,
                                  uint64_t other_site, const char* headline);
void forget_stacks();
inline bool rule_on(Rule rule) {
  return ((core.rules_off >> static_cast<unsigned>(rule)) & 1) == 0;
}
Stack capture_stack(uint64_t frame);
/// Fails where the current context may not wait. `does` is a verb ("parks"), `what` says more.
void check_may_wait(const char* does, const char* what = nullptr);
/// Side table of stacks taken at lock sites (details only); 0 = none.
uint16_t remember_stack();
const Stack* remembered_stack(uint16_t index);

// --- trace_ring.cpp

struct RawTrace {
  uint64_t clock;
  uint32_t point;
  uint16_t task;
  uint16_t other;
  TraceKind kind;
  uint8_t cpu;
  uint8_t context;
  uint64_t value;
  uint64_t pc;
  const char* text;
};
inline constexpr unsigned kTraceRing = 1024;
extern RawTrace trace_ring[kTraceRing];
extern uint64_t trace_count;
extern void (*trace_sink)(const TraceEvent&);
void trace_overflow(const RawTrace& event);

inline void trace(TraceKind kind, uint16_t other = 0, uint64_t value = 0, uint64_t pc = 0,
                  const char* text = nullptr) {
  const Actor* a = core.current;
  RawTrace& event = trace_ring[trace_count++ % kTraceRing];
  event = RawTrace{core.clock,
                   static_cast<uint32_t>(core.point),
                   a == nullptr ? static_cast<uint16_t>(kNoTask) : a->id,
                   other,
                   kind,
                   a == nullptr ? kNoCpu : a->cpu,
                   a == nullptr ? uint8_t{0} : static_cast<uint8_t>(a->context),
                   value,
                   pc,
                   text};
  if (trace_sink != nullptr) [[unlikely]] {
    trace_overflow(event);
  }
}

/// Current actor, for hal-host.
inline Actor& self() { return *core.current; }

} // namespace kiln::sim
