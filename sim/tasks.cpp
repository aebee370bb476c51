// Tasks: creation, parking, waking, the end of one.

#include <utility>

#include "sim/core.h"
#include "sim/hal.h"
#include "sim/scheduler.h"

namespace kiln::sim {

namespace {

void* stack_bottom(unsigned slot) {
  return reinterpret_cast<void*>(kStackBase + slot * kStackSlotBytes + kStackGuardBytes);
}
constexpr size_t kStackBytes = kStackSlotBytes - kStackGuardBytes;

/// No frame of its own in the shadow: what it leaves behind at the top of a stack is clean.
__attribute__((no_sanitize("address"))) void actor_entry(boost::context::detail::transfer_t from) {
  fiber_started(from);
  Actor& me = *core.current;
  if (interrupts_wait()) {
    take_interrupts();
  }
  me.entry(me.argument);
  end_current_task();
}

void check_ends_clean(const Actor& me) {
  if (me.held_count != 0 && rule_on(Rule::kTaskEndsHolding)) {
    const Held& held = me.held_rules[me.held_count - 1];
    fail_at(Rule::kTaskEndsHolding, "the lock was taken here", held.site, 0,
            "task '%s' ends with lock '%s' held", me.name, lock_order.name(held.lock_class));
  }
  if ((me.irq_depth != 0 || me.preempt_off != 0 || !me.irqs_on) &&
      rule_on(Rule::kTaskEndsHolding)) {
    fail_at(Rule::kTaskEndsHolding, nullptr, 0, 0,
            "task '%s' ends with interrupts or preemption off", me.name);
  }
}

/// The task that ends this wait: the holder of the lock, or the one that is joined.
uint16_t waited_for(const WaitInfo& wait) {
  bool held = wait.lock_owner != nullptr && *wait.lock_owner != 0;
  return held ? static_cast<uint16_t>(*wait.lock_owner - 1) : wait.owner;
}

/// Follows who waits for whom from `first`, which waits for good; true when it comes back to it.
bool waits_in_circle(const Actor& first) {
  const Actor* at = &first;
  for (unsigned steps = 0; steps <= kMaxTasks; ++steps) {
    uint16_t owner = waited_for(at->wait);
    if (owner >= kMaxTasks) {
      return false;
    }
    at = &actors[owner];
    if (at == &first) {
      return true;
    }
    if (at->state != ActorState::kParked || at->deadline != kNever || at->wait.what == nullptr) {
      return false;
    }
  }
  return false;
}

void check_wait_cycle(const Actor& me) {
  if (me.wait.what == nullptr || !rule_on(Rule::kWaitCycle) || !waits_in_circle(me)) {
    return;
  }
  const Actor& next = actors[waited_for(me.wait)];
  fail_at(Rule::kWaitCycle, "the other task waits here", next.wait.site, 0,
          "task '%s' waits for %s%s%s%s, which closes a circle of waiting through task '%s'",
          me.name, me.wait.what, me.wait.name == nullptr ? "" : " '",
          me.wait.name == nullptr ? "" : me.wait.name, me.wait.name == nullptr ? "" : "'",
          next.name);
}

} // namespace

void sweep_stack(const Actor& actor) {
  auto low = reinterpret_cast<uintptr_t>(actor.fiber.bottom);
  if (!kAsan || low == 0) {
    return;
  }
  uintptr_t high = low + actor.fiber.size;
  auto from = (reinterpret_cast<uintptr_t>(actor.fiber.context) - 128) & ~uintptr_t{7};
  if (from < low || from >= high) { // left from a signal handler's stack
    from = low;
  }
  unpoison(reinterpret_cast<void*>(from), high - from);
}

void prepare_actor(Actor& actor, uint16_t id, const char* name, void (*entry)(void*),
                   void* argument) {
  void* bottom = stack_bottom(id);
  sweep_stack(actor);
  actor.state = ActorState::kReady;
  actor.context = ContextKind::kTask;
  actor.cpu = kNoCpu;
  actor.home = 0;
  actor.irqs_on = true;
  actor.base_irqs_on = true;
  actor.permit = false;
  actor.spurious = false;
  actor.released = false;
  actor.queued = false;
  actor.id = id;
  actor.irq_depth = 0;
  actor.preempt_off = 0;
  actor.spin_held = 0;
  actor.held_count = 0;
  actor.held_base = 0;
  actor.spin_word = nullptr;
  actor.deadline = kNever;
  actor.affinity = ~uint64_t{0};
  actor.priority = 0;
  actor.name = name;
  actor.entry = entry;
  actor.argument = argument;
  actor.spawned_at = 0;
  actor.wait = WaitInfo{};
  make_fiber(actor.fiber, bottom, kStackBytes, actor_entry);
  bool budgeted = id != 0 && id < kMaxTasks; // the target's own task and idle CPUs have none
  uintptr_t top = reinterpret_cast<uintptr_t>(bottom) + kStackBytes;
  actor.stack_limit = budgeted ? top - kStackBudget : 0;
  if (core.actor_limit <= id && id < kMaxTasks) {
    core.actor_limit = static_cast<uint16_t>(id + 1);
  }
}

Actor* create_task(const char* name, void (*entry)(void*), void* argument, uint64_t affinity,
                   uint64_t site) {
  uint16_t id = 1;
  while (id < kMaxTasks && actors[id].state != ActorState::kFree) {
    ++id;
  }
  if (id == kMaxTasks) {
    return nullptr;
  }
  Actor& actor = actors[id];
  prepare_actor(actor, id, name, entry, argument);
  actor.affinity = affinity == 0 ? ~uint64_t{0} : affinity;
  actor.home = static_cast<uint8_t>(id % core.cpu_count);
  actor.spawned_at = site;
  policy_actor_created(actor);
  ++core.tasks_alive;
  made_progress();
  trace(TraceKind::kTaskCreate, id, 0, site, name);
  mix(0x5441534B00u ^ id);
  enqueue(actor);
  policy_actor_ready();
  return &actor;
}

void wake(Actor& actor, bool spurious) {
  if (actor.state != ActorState::kParked) {
    return;
  }
  if (actor.deadline != kNever) {
    --core.sleepers;
  }
  actor.state = ActorState::kReady;
  actor.spurious = spurious;
  if (!spurious) {
    made_progress();
  }
  trace(TraceKind::kUnpark, actor.id, spurious ? 1 : 0, 0, actor.name);
  mix(0x57414B4500u ^ actor.id);
  enqueue(actor);
  policy_actor_ready();
}

void end_current_task() {
  Actor& me = *core.current;
  check_ends_clean(me);
  trace(TraceKind::kTaskEnd, me.id, 0, 0, me.name);
  mix(0x454E4400u ^ me.id);
  made_progress();
  if (me.id == 0) {
    end_run();
  }
  --core.tasks_alive;
  me.state = me.released ? ActorState::kFree : ActorState::kEnded;
  block_current();
  __builtin_unreachable();
}

namespace hal {

Actor* task_create(const char* name, void (*entry)(void*), void* argument, uint64_t cpu_mask,
                   uint64_t site) {
  Actor* actor = create_task(name, entry, argument, cpu_mask, site);
  point();
  return actor;
}

Actor* task_current() { return is_idle_actor(self()) ? nullptr : &self(); }

void task_exit() { end_current_task(); }

void task_release(Actor* task) {
  if ((task->released || task->state == ActorState::kFree) && rule_on(Rule::kUseDestroyed)) {
    fail_at(Rule::kUseDestroyed, "the task was created here", task->spawned_at, 0,
            "the handle of task '%s' is given back twice", task->name);
  }
  task->released = true;
  if (task->state == ActorState::kEnded) {
    task->state = ActorState::kFree;
  }
}

bool park(uint64_t deadline_ns) {
  Actor& me = self();
  check_may_wait(me.wait.what == nullptr ? "parks" : "waits");
  point();
  if (me.permit) {
    me.permit = false;
    return true;
  }
  if (deadline_ns <= core.clock) { // nothing to wait for, but others get their turn
    me.state = ActorState::kReady;
    policy_actor_yielded(me);
    block_current();
    return std::exchange(me.permit, false);
  }
  me.deadline = deadline_ns;
  me.state = ActorState::kParked;
  if (deadline_ns == kNever) {
    check_wait_cycle(me);
  } else {
    ++core.sleepers;
    core.next_deadline = deadline_ns < core.next_deadline ? deadline_ns : core.next_deadline;
  }
  trace(TraceKind::kPark, 0, deadline_ns, me.wait.site, me.wait.what);
  block_current();
  bool woken = me.permit;
  me.permit = false;
  me.deadline = kNever;
  return woken;
}

void unpark(Actor* task) {
  if (task->state == ActorState::kFree || task->state == ActorState::kEnded) {
    return;
  }
  task->permit = true;
  wake(*task, false);
  point();
}

void yield() {
  Actor& me = self();
  check_may_wait("yields");
  trace(TraceKind::kYield);
  policy_actor_yielded(me);
  me.state = ActorState::kReady;
  block_current();
}

void relax(const volatile uint32_t* word, uint32_t seen) {
  if (core.running) {
    spin_current(word, seen);
  }
}

void may_wait(const char* what) { check_may_wait("waits", what); }

void waits_for_cpus(const char* what) {
  const Actor& a = self();
  const unsigned held = a.held_count - a.held_base;
  const Held* spin = waiting_forbidden_by({a.held_rules + a.held_base, held});
  if (spin != nullptr && !a.irqs_on && rule_on(Rule::kSleepInAtomic)) {
    fail_at(Rule::kSleepInAtomic, "the spin lock was taken here", spin->site, 0,
            "task '%s' waits for other CPUs (%s) with interrupts off and spin lock '%s' held",
            a.name, what, lock_order.name(spin->lock_class));
  }
}

void wait_begin(const WaitRef& wait, uint64_t site) {
  Actor& me = self();
  uint16_t owner = wait.task == nullptr ? static_cast<uint16_t>(kNoTask) : wait.task->id;
  me.wait = WaitInfo{wait.what, wait.name, wait.object, wait.lock_owner, owner, site};
  if (wait.task == &me && rule_on(Rule::kSelfJoin)) {
    fail_at(Rule::kSelfJoin, nullptr, 0, 0, "task '%s' waits for its own end", me.name);
  }
}

void wait_end() { self().wait = WaitInfo{}; }

} // namespace hal

} // namespace kiln::sim
