// Who runs next: scheduling points, the run queue, CPUs and the list of alternatives that a
// decision chooses from. Policies are in policy.cpp.
//
// The list at a point, in this order: the ordinary choice (keep running; when the current agent
// cannot, first in, first out), the other runnable agents in queue order, every interrupt line that
// the target allowed, spurious wakes where allowed, and a jump of the clock to the next deadline.

#include "sim/scheduler.h"

#include "sim/core.h"

namespace kiln::sim {

namespace {

/// Scheduling points without progress that make a livelock.
constexpr uint64_t kLivelockPoints = uint64_t{1} << 20;

KILN_NO_ASAN uint32_t read_word(const volatile uint32_t* word) { return *word; }

bool preemptible(const Agent& agent) {
  return agent.preempt_off == 0 && agent.irqs_on && agent.context == ContextKind::kTask &&
         !is_idle_agent(agent);
}

bool cpu_usable(const Agent& agent, unsigned cpu) {
  if (cpu >= core.cpu_count || ((agent.affinity >> cpu) & 1) == 0) {
    return false;
  }
  uint16_t occupant = core.cpus[cpu].occupant;
  return occupant == kNoTask || preemptible(agents[occupant]);
}

/// The CPU that a ready agent would take: an idle one if it can (its last one first), else one
/// whose occupant can be preempted. kNoCpu when all are taken.
uint8_t pick_cpu(const Agent& agent) {
  uint8_t preempted = kNoCpu;
  for (unsigned i = 0; i < core.cpu_count; ++i) {
    unsigned cpu = (agent.home + i) % core.cpu_count;
    if (!cpu_usable(agent, cpu)) {
      continue;
    }
    if (core.cpus[cpu].occupant == kNoTask) {
      return static_cast<uint8_t>(cpu);
    }
    if (preempted == kNoCpu) {
      preempted = static_cast<uint8_t>(cpu);
    }
  }
  return preempted;
}

bool runnable(const Agent& agent) {
  switch (agent.state) {
  case AgentState::kOnCpu:
    return agent.spin_word == nullptr || read_word(agent.spin_word) != agent.spin_seen ||
           (agent.irqs_on && core.cpus[agent.cpu].pending != 0);
  case AgentState::kReady:
    return pick_cpu(agent) != kNoCpu;
  case AgentState::kIdle:
    return core.cpus[agent.home].occupant == kNoTask && core.cpus[agent.home].pending != 0;
  default:
    return false;
  }
}

void take_cpu(Agent& agent, unsigned cpu) {
  uint16_t occupant = core.cpus[cpu].occupant;
  if (occupant != kNoTask) {
    Agent& evicted = agents[occupant];
    evicted.state = AgentState::kReady;
    evicted.cpu = kNoCpu;
    if (&evicted != core.current) {
      dequeue(evicted);
    }
    enqueue(evicted);
  }
  core.cpus[cpu].occupant = agent.id;
  agent.cpu = static_cast<uint8_t>(cpu);
  agent.home = agent.cpu;
  agent.state = AgentState::kOnCpu;
}

void gather_agents(Alternatives& list) {
  for (uint16_t id = core.queue_head; id != kNoTask && !list.full(); id = agents[id].next) {
    if (runnable(agents[id])) {
      list.add({Alternative::Kind::kRun, id, 0});
    }
  }
}

/// Lines that may be raised on this CPU: not while it handles an interrupt, where they would only
/// queue up behind it, storm upon storm.
uint32_t lines_to_raise(unsigned cpu) {
  uint16_t occupant = core.cpus[cpu].occupant;
  const Agent& there = agents[occupant == kNoTask ? idle_agent_id(cpu) : occupant];
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
    for (uint16_t id = 0; id < core.agent_limit && !list.full(); ++id) {
      if (agents[id].state == AgentState::kParked) {
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

/// Goes on in `next`. The current agent is queued if it could run on.
void switch_to(Agent& next) {
  Agent& me = *core.current;
  if (&next == &me) {
    return;
  }
  dequeue(next);
  if (next.state == AgentState::kReady) {
    take_cpu(next, pick_cpu(next));
  } else if (next.state == AgentState::kIdle) {
    take_cpu(next, next.home);
  }
  if (me.state == AgentState::kOnCpu) {
    enqueue(me);
  }
  ++core.switches;
  core.clock_reads = 0;
  mix((core.point << 8) ^ next.id);
  trace(TraceKind::kSwitch, next.id);
  core.current = &next;
  switch_fiber(me.fiber, next.fiber);
}

/// What an alternative other than "run this agent" does.
void apply_event(const Alternative& chosen) {
  switch (chosen.kind) {
  case Alternative::Kind::kIrq:
    raise_line(chosen.a, chosen.b);
    break;
  case Alternative::Kind::kSpurious:
    wake(agents[chosen.a], true);
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
  Agent& there = agents[occupant == kNoTask ? idle_agent_id(cpu) : occupant];
  if (&there != core.current && there.queued && runnable(there) && there.irqs_on) {
    switch_to(there);
  }
}

void preempt() {
  Alternatives list;
  list.add({Alternative::Kind::kContinue, 0, 0});
  gather_agents(list);
  gather_events(list);
  const Alternative chosen = list.at[choose(list, false)];
  if (chosen.kind == Alternative::Kind::kRun) {
    switch_to(agents[chosen.a]);
  } else {
    apply_event(chosen);
    if (chosen.kind == Alternative::Kind::kIrq) {
      visit_cpu(chosen.a);
    }
  }
}

/// The next agent to run when the current one cannot. Ends the run when there is none for good.
Agent& next_agent() {
  for (;;) {
    Alternatives list;
    gather_agents(list);
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
      return agents[chosen.a];
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

void leave_cpu(Agent& agent) {
  unsigned cpu = agent.cpu;
  core.cpus[cpu].occupant = kNoTask;
  agent.cpu = kNoCpu;
  if (core.cpus[cpu].pending != 0) {
    enqueue(agents[idle_agent_id(cpu)]);
  }
}

} // namespace

void made_progress() { core.progress_point = core.point; }

void enqueue(Agent& agent) {
  if (agent.queued) {
    return;
  }
  agent.queued = true;
  agent.next = kNoTask;
  agent.prev = core.queue_tail;
  if (core.queue_tail == kNoTask) {
    core.queue_head = agent.id;
  } else {
    agents[core.queue_tail].next = agent.id;
  }
  core.queue_tail = agent.id;
}

void dequeue(Agent& agent) {
  if (!agent.queued) {
    return;
  }
  agent.queued = false;
  (agent.prev == kNoTask ? core.queue_head : agents[agent.prev].next) = agent.next;
  (agent.next == kNoTask ? core.queue_tail : agents[agent.next].prev) = agent.prev;
}

void point_event() {
  if (!core.running) {
    core.next_event = kNever;
    return;
  }
  check_stack();
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
  Agent& me = *core.current;
  check_stack();
  check_livelock();
  leave_cpu(me);
  if (me.state == AgentState::kReady) { // it only yields
    enqueue(me);
  }
  Agent& next = next_agent();
  if (&next == &me) {
    dequeue(me);
    if (me.state == AgentState::kReady) {
      take_cpu(me, pick_cpu(me));
    } else if (me.state == AgentState::kIdle) {
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
  Agent& me = *core.current;
  check_stack();
  if (interrupts_wait()) {
    take_interrupts();
    return;
  }
  if (word != nullptr && read_word(word) != seen) {
    return;
  }
  trace(TraceKind::kSpin);
  policy_agent_yielded(me);
  me.spin_word = word;
  me.spin_seen = seen;
  enqueue(me);
  Agent& next = next_agent();
  switch_to(next);
  dequeue(me);
  me.spin_word = nullptr;
  check_livelock();
  set_next_event();
  if (interrupts_wait()) {
    take_interrupts();
  }
}

void idle_agent_body(unsigned cpu) {
  Agent& me = agents[idle_agent_id(cpu)];
  for (;;) {
    take_interrupts();
    me.state = AgentState::kIdle;
    block_current();
  }
}

} // namespace kiln::sim
