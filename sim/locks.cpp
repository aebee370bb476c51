// Locks as the machine sees them: who holds what, judged by LockOrder; objects with a life; things
// that must be given back.

#include "sim/core.h"
#include "sim/hal.h"
#include "sim/scheduler.h"

namespace kiln::sim {

constinit LockOrder lock_order{};

namespace {

/// LockRef::state: the number of holders, or this.
constexpr uint8_t kDestroyed = 0xDD;
constexpr uint32_t kObjectDestroyed = 0xDEADDEAD;

std::span<const Held> held_here(const Actor& a) {
  // Entries are HeldEntry; LockOrder wants Held. Both lie side by side in two arrays.
  return {a.held_rules + a.held_base, size_t{a.held_count} - a.held_base};
}

LockContext context_of(const Actor& a) {
  bool task = a.context == ContextKind::kTask;
  return {a.context == ContextKind::kIrq || a.context == ContextKind::kNmi,
          a.context == ContextKind::kSoftIrq, a.irqs_on, task && a.irqs_on};
}

uint16_t class_of(const hal::LockRef& lock) {
  if (*lock.class_id == 0) {
    uint16_t id = lock_order.add_class(lock.name);
    if (id == LockOrder::kNoClass) {
      fail_at(Rule::kPanic, nullptr, 0, 0, "there are more than %u lock classes",
              LockOrder::kMaxClasses);
    }
    *lock.class_id = id + uint32_t{1};
  }
  return static_cast<uint16_t>(*lock.class_id - 1);
}

[[noreturn]] void fail_lock(const LockVerdict& verdict) {
  char headline[400];
  char label[128];
  lock_headline(lock_order, verdict, headline, sizeof headline);
  lock_other_label(lock_order, verdict, label, sizeof label);
  fail_at(verdict.rule, label, verdict.other_site, 0, "%s", headline);
}

void judge(const Held& taking, bool is_try, const Actor& a) {
  LockVerdict verdict;
  if (!lock_order.acquire(taking, is_try, context_of(a), held_here(a), &verdict) &&
      rule_on(verdict.rule)) [[unlikely]] {
    fail_lock(verdict);
  }
}

void check_not_destroyed(const hal::LockRef& lock, const char* what) {
  if (*lock.state == kDestroyed && rule_on(Rule::kUseDestroyed)) [[unlikely]] {
    fail_at(Rule::kUseDestroyed, "the lock was destroyed here", *lock.site, 0,
            "lock '%s' is %s after it was destroyed", lock.name, what);
  }
}

void check_sleeping_lock(const Actor& a, const hal::LockRef& lock) {
  if (a.context == ContextKind::kTask && a.irqs_on && a.preempt_off == 0 && a.spin_held == 0) {
    return;
  }
  if (!rule_on(Rule::kLockContext)) {
    return;
  }
  const Held* spin = waiting_forbidden_by(held_here(a));
  if (spin != nullptr) {
    fail_at(Rule::kLockContext, "the spin lock was taken here", spin->site, 0,
            "lock '%s', which may wait, is taken with spin lock '%s' held", lock.name,
            lock_order.name(spin->lock_class));
  }
  fail_at(Rule::kLockContext, nullptr, 0, 0, "lock '%s', which may wait, is taken %s", lock.name,
          a.context == ContextKind::kTask      ? "with interrupts or preemption off"
          : a.context == ContextKind::kSoftIrq ? "in a soft IRQ"
                                               : "in an interrupt");
}

Held describe_take(const hal::LockRef& lock, hal::LockUse use, uint64_t site) {
  return Held{.lock_class = class_of(lock),
              .mode = static_cast<LockMode>(use.mode),
              .nested = use.nested,
              .spins = !lock.sleeps,
              .of_allocator = lock.of_allocator,
              .instance = lock.lock,
              .site = site};
}

/// Index of the innermost entry of this lock in this context; -1 when there is none.
int find_held(const Actor& a, const void* lock) {
  for (int i = a.held_count - 1; i >= a.held_base; --i) {
    if (a.held_rules[i].instance == lock) {
      return i;
    }
  }
  return -1;
}

void fail_destroyed_held(const hal::LockRef& lock) {
  for (const Actor& a : actors) {
    for (int i = 0; a.state != ActorState::kFree && i < a.held_count; ++i) {
      if (a.held_rules[i].instance == lock.lock) {
        fail_at(Rule::kLockDestroyedHeld, "it was taken here", a.held_rules[i].site, a.held[i],
                "lock '%s' is destroyed while task '%s' holds it", lock.name, a.name);
      }
    }
  }
}

[[noreturn]] void fail_not_held(const hal::LockRef& lock) {
  if (*lock.owner != 0) {
    fail_at(Rule::kLockNotHeld, "it was taken here", *lock.site, 0,
            "lock '%s' is released by a context that does not hold it; task '%s' does", lock.name,
            actors[*lock.owner - 1].name);
  }
  fail_at(Rule::kLockNotHeld, nullptr, 0, 0, "lock '%s' is released and nobody holds it",
          lock.name);
}

} // namespace

void irqs_turned_on() {
  const Actor& a = *core.current;
  if (a.held_count == a.held_base) [[likely]] {
    return;
  }
  LockVerdict verdict;
  uintptr_t site = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  if (!lock_order.interrupts_enabled(context_of(a), held_here(a), site, &verdict) &&
      rule_on(verdict.rule)) {
    fail_lock(verdict);
  }
}

namespace hal {

void lock_acquiring(const LockRef& lock, LockUse use, uint64_t site) {
  if (!core.running) {
    return;
  }
  const Actor& a = self();
  check_not_destroyed(lock, "taken");
  if (lock.sleeps) {
    check_sleeping_lock(a, lock);
  }
  trace(TraceKind::kLockAcquire, 0, 0, site, lock.name);
  judge(describe_take(lock, use, site), false, a);
}

void lock_acquired(const LockRef& lock, LockUse use, uint64_t site) {
  if (!core.running) {
    return;
  }
  Actor& a = self();
  Held taken = describe_take(lock, use, site);
  if (use.is_try) {
    check_not_destroyed(lock, "taken");
    judge(taken, true, a);
  }
  if (a.held_count == kMaxHeld) {
    fail_at(Rule::kPanic, nullptr, 0, 0, "more than %u locks are held at once", kMaxHeld);
  }
  a.held_rules[a.held_count] = taken;
  a.held[a.held_count] = core.details ? remember_stack() : uint16_t{0};
  ++a.held_count;
  ++*lock.state;
  a.spin_held = static_cast<uint16_t>(a.spin_held + !lock.sleeps);
  if (taken.mode == LockMode::kExclusive) {
    *lock.owner = a.id + uint32_t{1};
    *lock.site = site;
  }
  trace(TraceKind::kLockAcquired, 0, 0, site, lock.name);
  mix(0x4C4B00u ^ taken.lock_class);
}

void lock_released(const LockRef& lock, uint64_t site) {
  if (!core.running) {
    return;
  }
  Actor& a = self();
  check_not_destroyed(lock, "released");
  int at = find_held(a, lock.lock);
  if (at < 0) [[unlikely]] {
    if (rule_on(Rule::kLockNotHeld)) {
      fail_not_held(lock);
    }
    return;
  }
  --*lock.state;
  if (a.held_rules[at].mode == LockMode::kExclusive) {
    *lock.owner = 0;
  }
  for (int i = at + 1; i < a.held_count; ++i) {
    a.held_rules[i - 1] = a.held_rules[i];
    a.held[i - 1] = a.held[i];
  }
  --a.held_count;
  a.spin_held = static_cast<uint16_t>(a.spin_held - !lock.sleeps);
  trace(TraceKind::kLockRelease, 0, 0, site, lock.name);
}

void lock_destroyed(const LockRef& lock, uint64_t site) {
  if (!core.running) {
    return;
  }
  check_not_destroyed(lock, "destroyed again");
  if (*lock.state != 0 && rule_on(Rule::kLockDestroyedHeld)) {
    fail_destroyed_held(lock);
  }
  *lock.state = kDestroyed;
  *lock.site = site;
}

void object_use(const ObjectRef& object, uint64_t) {
  if (*object.state == kObjectDestroyed && rule_on(Rule::kUseDestroyed)) [[unlikely]] {
    fail_at(Rule::kUseDestroyed, nullptr, 0, 0, "the %s is used after it was destroyed",
            object.kind);
  }
}

void object_destroyed(const ObjectRef& object, uint64_t site) {
  object_use(object, site);
  if (*object.waiters != 0 && rule_on(Rule::kUseDestroyed)) {
    fail_at(Rule::kUseDestroyed, nullptr, 0, 0, "the %s is destroyed while a task waits on it",
            object.kind);
  }
  *object.state = kObjectDestroyed;
}

void object_wait_begin(const ObjectRef& object, uint64_t site) {
  object_use(object, site);
  if (object.one_waiter != 0 && *object.waiters != 0 && rule_on(Rule::kTwoWaiters)) {
    fail_at(Rule::kTwoWaiters, nullptr, 0, 0,
            "a second task waits on an object made for one waiter: %s", object.kind);
  }
  ++*object.waiters;
}

void object_wait_end(const ObjectRef& object) { --*object.waiters; }

void resource_taken(unsigned kind) { ++core.resources[kind]; }

void resource_returned(unsigned kind, uint64_t) { --core.resources[kind]; }

} // namespace hal

} // namespace kiln::sim
