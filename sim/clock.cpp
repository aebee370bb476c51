// The virtual clock. It moves by reads, and jumps to the next deadline when nobody can run (or when
// the sched lane says that the code took long). Reaching a deadline fires world events in order,
// raises the line of a CPU's timer, and wakes parked tasks.

#include "sim/core.h"
#include "sim/hal.h"
#include "sim/scheduler.h"

namespace kiln::sim {

namespace {

constexpr uint64_t kReadCost_ns = 20;
constexpr uint64_t kMostReads = 1'000'000;

void fire_world_events() {
  for (;;) {
    unsigned best = kMaxWorldEvents;
    for (unsigned i = 0; i < core.world_events; ++i) {
      const WorldEvent& e = world_events[i];
      if (e.when <= core.clock &&
          (best == kMaxWorldEvents || e.when < world_events[best].when ||
           (e.when == world_events[best].when && e.number < world_events[best].number))) {
        best = i;
      }
    }
    if (best == kMaxWorldEvents) {
      return;
    }
    WorldEvent due = world_events[best];
    world_events[best] = world_events[--core.world_events];
    trace(TraceKind::kWorldEvent, 0, due.when);
    due.event(due.argument);
  }
}

void fire_timers() {
  for (unsigned cpu = 0; cpu < core.cpu_count; ++cpu) {
    if (core.cpus[cpu].timer <= core.clock) {
      core.cpus[cpu].timer = kNever;
      trace(TraceKind::kTimerFire, 0, cpu);
      raise_line(cpu, kTimerLine);
    }
  }
}

void wake_sleepers() {
  for (uint16_t id = 0; core.sleepers != 0 && id < core.actor_limit; ++id) {
    Actor& actor = actors[id];
    if (actor.state == ActorState::kParked && actor.deadline <= core.clock) {
      wake(actor, false);
    }
  }
}

void reach_deadlines() {
  while (core.clock >= core.next_deadline) {
    fire_world_events();
    fire_timers();
    wake_sleepers();
    recompute_deadline();
  }
}

} // namespace

void recompute_deadline() {
  uint64_t earliest = kNever;
  for (unsigned i = 0; i < core.world_events; ++i) {
    earliest = world_events[i].when < earliest ? world_events[i].when : earliest;
  }
  for (unsigned cpu = 0; cpu < core.cpu_count; ++cpu) {
    earliest = core.cpus[cpu].timer < earliest ? core.cpus[cpu].timer : earliest;
  }
  for (uint16_t id = 0; core.sleepers != 0 && id < core.actor_limit; ++id) {
    const Actor& actor = actors[id];
    if (actor.state == ActorState::kParked && actor.deadline < earliest) {
      earliest = actor.deadline;
    }
  }
  core.next_deadline = earliest;
}

void advance_clock(uint64_t to) {
  core.clock = to;
  if (to >= core.next_deadline) {
    reach_deadlines();
  }
}

bool jump_clock() {
  if (core.next_deadline == kNever) {
    return false;
  }
  made_progress();
  if (core.next_deadline > core.clock) {
    trace(TraceKind::kClockJump, 0, core.next_deadline);
    mix(core.next_deadline);
    core.clock = core.next_deadline;
  }
  reach_deadlines();
  return true;
}

namespace hal {

uint64_t clock_ns() {
  if (!core.running) {
    return core.clock;
  }
  if (++core.clock_reads > kMostReads && rule_on(Rule::kClockSpin)) {
    fail_at(Rule::kClockSpin, nullptr, 0, 0,
            "the clock was read a million times and nobody else could run");
  }
  advance_clock(core.clock + kReadCost_ns);
  if (interrupts_wait()) {
    take_interrupts();
  }
  return core.clock;
}

void timer_arm(uint64_t deadline_ns) {
  Actor& me = self();
  Cpu& cpu = core.cpus[me.cpu];
  trace(TraceKind::kTimerArm, 0, deadline_ns);
  cpu.timer = deadline_ns;
  if (deadline_ns <= core.clock) {
    cpu.timer = kNever;
    raise_line(me.cpu, kTimerLine);
  }
  recompute_deadline();
  point();
}

} // namespace hal

} // namespace kiln::sim
