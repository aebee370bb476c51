// Who runs next: scheduling points, the run queue, CPUs and the list of alternatives that a
// decision chooses from. Policies are in policy.cpp.
//
// The list at a point, in this order: the ordinary choice (keep running; when the current actor
// cannot, first in, first out), the other runnable actors in queue order, every interrupt line that
// the target allowed, spurious wakes where allowed, and a jump of the clock to the next deadline.

#include "sim/scheduler.h"

#include "sim/core.h"

namespace kiln::sim {

namespace {

/// Scheduling points without progress that make a livelock.
constexpr uint64_t kLivelockPoints = uint64_t{1} << 20;

KILN_NO_ASAN uint32_t read_word(const volatile uint32_t* word) { return *word; }

bool preemptible(const Actor& actor) {
  return actor.preempt_off == 0 && actor.irqs_on && actor.context == ContextKind::kTask &&
         !is_idle_actor(actor);
}

/// CPUs that a ready actor could take, one bit each: idle, and those whose occupant can be
/// preempted.
struct FreeCpus {
  uint64_t idle;
  uint64_t preemptible;
};
static_assert(kMaxCpus <= 64);

FreeCpus free_cpus() {
  FreeCpus free{};
  for (unsigned cpu = 0; cpu < core.cpu_count; ++cpu) {
    uint16_t occupant = core.cpus[cpu].occupant;
    bool idle = occupant == kNoTask;
    free.idle |= uint64_t{idle} << cpu;
    free.preemptible |= uint64_t{!idle && preemptible(actors[occupant])} << cpu;
  }
  return free;
}

/// The first of `cpus`, counted from `home` and round.
uint8_t first_from(unsigned home, uint64_t cpus) {
  uint64_t from_home = cpus >> home << home;
  return static_cast<uint8_t>(__builtin_ctzll(from_home != 0 ? from_home : cpus));
}

/// The CPU that a ready actor would take: an idle one if it can (its last one first), else one
/// whose occupant can be preempted. kNoCpu when all are taken.
uint8_t pick_cpu(const Actor& actor) {
  FreeCpus free = free_cpus();
  if (uint64_t idle = free.idle & actor.affinity; idle != 0) {
    return first_from(actor.home, idle);
  }
  uint64_t taken = free.preemptible & actor.affinity;
  return taken != 0 ? first_from(actor.home, taken) : kNoCpu;
}

bool runnable(const Actor& actor, const FreeCpus& free) {
  switch (actor.state) {
  case ActorState::kOnCpu:
    return actor.spin_word == nullptr || read_word(actor.spin_word) != actor.spin_seen ||
           (actor.irqs_on && core.cpus[actor.cpu].pending != 0);
  case ActorState::kReady:
    return ((free.idle | free.preemptible) & actor.affinity) != 0;
  case ActorState::kIdle:
    return core.cpus[actor.home].occupant == kNoTask && core.cpus[actor.home].pending != 0;
  default:
    return false;
  }
}

void take_cpu(Actor& actor, unsigned cpu) {
  uint16_t occupant = core.cpus[cpu].occupant;
  if (occupant != kNoTask) {
    Actor& evicted = actors[occupant];
    evicted.state = ActorState::kReady;
    evicted.cpu = kNoCpu;
    if (&evicted != core.current) {
      dequeue(evicted);
    }
    enqueue(evicted);
  }
  core.cpus[cpu].occupant = actor.id;
  actor.cpu = static_cast<uint8_t>(cpu);
  actor.home = actor.cpu;
  actor.state = ActorState::kOnCpu;
}

void gather_actors(Alternatives& list) {
  FreeCpus free = free_cpus();
  for (uint16_t id = core.queue_head; id != kNoTask && !list.full(); id = actors[id].next) {
    if (runnable(actors[id], free)) {
      list.add({Alternative::Kind::kRun, id, 0});
    }
  }
}

/// Lines that may be raised on this CPU: not while it handles an interrupt, where they would only
/// queue up behind it, storm upon storm.
uint32_t lines_to_raise(unsigned cpu) {
  uint16_t occupant = core.cpus[cpu].occupant;
  const Actor& there = actors[occupant == kNoTask ? idle_actor_id(cpu) : occupant];
  bool handles = there.context == ContextKind::kIrq || there.context == ContextKind::kNmi;
  return handles ? 0 : core.cpus[cpu].allowed & ~core.cpus[cpu].pending;
}

void gather_events(Alternatives& list) {
  for (unsigned cpu = 0; cpu < core.cpu_count; ++cpu) {
    for (uint32_t lines = lines_to_raise(cpu); lines != 0 && !list.full(); lines &= lines - 1) {
      list.add({Alternative::Kind::kIrq, static_cast<uint16_t>(cpu),
                static_cast<uint16_t>(__builtin_ctz(lines))});
    }
  }
  if (core.spurious_wakes) {
    for (uint16_t id = 0; id < core.actor_limit && !list.full(); ++id) {
      if (actors[id].state == ActorState::kParked) {
        list.add({Alternative::Kind::kSpurious, id, 0});
      }
    }
  }
  if (core.next_deadline != kNever && !list.full()) {
    list.add({Alternative::Kind::kTimeJump, 0, 0});
  }
}

/// What the tape says about this point. Decisions about points that left no choice are passed over.
unsigned decided_by_tape(unsigned alternatives) {
  unsigned index = 0;
  while (core.next_decision <= core.point) {
    const bool here = core.next_decision == core.point;
    const uint8_t alternative = sched_reader->take();
    core.next_decision = sched_reader->next_point();
    if (here) {
      index = alternative % alternatives;
    }
  }
  return index;
}

/// Index of the alternative that the tape or the policy wants at this point.
unsigned choose(const Alternatives& list, bool blocking) {
  unsigned index = 0;
  if (core.seeded) {
    index = policy_choose(list, blocking);
  } else {
    index = decided_by_tape(list.count);
  }
  if (index != 0 && core.recording) {
    record_decision(core.point, index);
  }
  return index;
}

/// Goes on in `next`. The current actor is queued if it could run on.
void switch_to(Actor& next) {
  Actor& me = *core.current;
  if (&next == &me) {
    return;
  }
  dequeue(next);
  if (next.state == ActorState::kReady) {
    take_cpu(next, pick_cpu(next));
  } else if (next.state == ActorState::kIdle) {
    take_cpu(next, next.home);
  }
  if (me.state == ActorState::kOnCpu) {
    enqueue(me);
  }
  ++core.switches;
  core.clock_reads = 0;
  mix((core.point << 8) ^ next.id);
  trace(TraceKind::kSwitch, next.id);
  core.current = &next;
  core.stack_limit = next.stack_limit;
  switch_fiber(me.fiber, next.fiber);
}

/// What an alternative other than "run this actor" does.
void apply_event(const Alternative& chosen) {
  switch (chosen.kind) {
  case Alternative::Kind::kIrq:
    raise_line(chosen.a, chosen.b);
    break;
  case Alternative::Kind::kSpurious:
    wake(actors[chosen.a], true);
    break;
  case Alternative::Kind::kTimeJump:
    jump_clock();
    break;
  default:
    break;
  }
}

/// An interrupt raised by decision lands in the middle of what that CPU does now.
void visit_cpu(unsigned cpu) {
  uint16_t occupant = core.cpus[cpu].occupant;
  Actor& there = actors[occupant == kNoTask ? idle_actor_id(cpu) : occupant];
  if (&there != core.current && there.queued && runnable(there, free_cpus()) && there.irqs_on) {
    switch_to(there);
  }
}

void preempt() {
  Alternatives list;
  list.add({Alternative::Kind::kContinue, 0, 0});
  gather_actors(list);
  gather_events(list);
  const Alternative chosen = list.at[choose(list, false)];
  if (chosen.kind == Alternative::Kind::kRun) {
    switch_to(actors[chosen.a]);
  } else {
    apply_event(chosen);
    if (chosen.kind == Alternative::Kind::kIrq) {
      visit_cpu(chosen.a);
    }
  }
}

/// The next actor to run when the current one cannot. Ends the run when there is none for good.
Actor& next_actor() {
  for (;;) {
    Alternatives list;
    gather_actors(list);
    if (list.count == 0) {
      if (!jump_clock()) {
        fail_all_wait();
      }
      core.idle_until = core.clock;
      continue;
    }
    gather_events(list);
    ++core.point;
    const Alternative chosen = list.at[list.count == 1 ? 0 : choose(list, true)];
    if (chosen.kind == Alternative::Kind::kRun) {
      return actors[chosen.a];
    }
    apply_event(chosen);
  }
}

void check_livelock() {
  if (core.point - core.progress_point >= kLivelockPoints && rule_on(Rule::kLivelock)) {
    fail_at(Rule::kLivelock, nullptr, 0, 0,
            "%llu scheduling points went by and nobody waited, woke another or ended",
            static_cast<unsigned long long>(kLivelockPoints));
  }
}

void set_next_event() {
  uint64_t livelock = core.progress_point + kLivelockPoints;
  core.next_event = core.next_decision < livelock ? core.next_decision : livelock;
  if (core.next_event <= core.point) {
    core.next_event = core.point + 1;
  }
}

void leave_cpu(Actor& actor) {
  unsigned cpu = actor.cpu;
  core.cpus[cpu].occupant = kNoTask;
  actor.cpu = kNoCpu;
  if (core.cpus[cpu].pending != 0) {
    enqueue(actors[idle_actor_id(cpu)]);
  }
}

} // namespace

void made_progress() { core.progress_point = core.point; }

void enqueue(Actor& actor) {
  if (actor.queued) {
    return;
  }
  actor.queued = true;
  actor.next = kNoTask;
  actor.prev = core.queue_tail;
  if (core.queue_tail == kNoTask) {
    core.queue_head = actor.id;
  } else {
    actors[core.queue_tail].next = actor.id;
  }
  core.queue_tail = actor.id;
}

void dequeue(Actor& actor) {
  if (!actor.queued) {
    return;
  }
  actor.queued = false;
  (actor.prev == kNoTask ? core.queue_head : actors[actor.prev].next) = actor.next;
  (actor.next == kNoTask ? core.queue_tail : actors[actor.next].prev) = actor.prev;
}

void point_event() {
  if (!core.running) {
    core.next_event = kNever;
    return;
  }
  if (interrupts_wait()) {
    take_interrupts();
  }
  if (core.point >= core.next_decision) {
    preempt();
    if (interrupts_wait()) {
      take_interrupts();
    }
  }
  check_livelock();
  set_next_event();
}

void block_current() {
  Actor& me = *core.current;
  check_stack();
  check_livelock();
  leave_cpu(me);
  if (me.state == ActorState::kReady) { // it only yields
    enqueue(me);
  }
  Actor& next = next_actor();
  if (&next == &me) {
    dequeue(me);
    if (me.state == ActorState::kReady) {
      take_cpu(me, pick_cpu(me));
    } else if (me.state == ActorState::kIdle) {
      take_cpu(me, me.home);
    }
  } else {
    switch_to(next);
  }
  set_next_event();
  if (interrupts_wait()) {
    take_interrupts();
  }
}

void spin_current(const volatile uint32_t* word, uint32_t seen) {
  Actor& me = *core.current;
  check_stack();
  if (interrupts_wait()) {
    take_interrupts();
    return;
  }
  if (word != nullptr && read_word(word) != seen) {
    return;
  }
  trace(TraceKind::kSpin);
  policy_actor_yielded(me);
  me.spin_word = word;
  me.spin_seen = seen;
  enqueue(me);
  Actor& next = next_actor();
  switch_to(next);
  dequeue(me);
  me.spin_word = nullptr;
  check_livelock();
  set_next_event();
  if (interrupts_wait()) {
    take_interrupts();
  }
}

void idle_actor_body(unsigned cpu) {
  Actor& me = actors[idle_actor_id(cpu)];
  for (;;) {
    take_interrupts();
    me.state = ActorState::kIdle;
    block_current();
  }
}

} // namespace kiln::sim
