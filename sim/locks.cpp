// Locks as the machine sees them: who holds what, judged by LockOrder; objects with a life; things
// that must be given back.

#include <cstdio>

#include "sim/core.h"
#include "sim/hal.h"
#include "sim/lock_hooks.h"
#include "sim/scheduler.h"

namespace kiln::sim {

constinit LockOrder lock_order{};

namespace {

// In an object's state; the lower half is then the number of the stack on which it was destroyed.
constexpr uint32_t kObjectDestroyed = 0xDEAD'0000;

bool is_destroyed(uint32_t state) { return (state & 0xFFFF'0000) == kObjectDestroyed; }

[[noreturn]] void fail_lock(const LockVerdict& verdict) {
  char headline[400];
  char label[128];
  lock_headline(lock_order, verdict, headline, sizeof headline);
  lock_other_label(lock_order, verdict, label, sizeof label);
  fail_at(verdict.rule, label, verdict.other_site, 0, "%s", headline);
}

} // namespace

uint32_t name_class(const char* name) {
  uint16_t id = lock_order.add_class(name);
  if (id == LockOrder::kNoClass) {
    fail_at(Rule::kPanic, nullptr, 0, 0, "there are more than %u lock classes",
            LockOrder::kMaxClasses);
  }
  return id + uint32_t{1};
}

void judge_unknown(Held taking, bool is_try, const Actor& a) {
  LockVerdict verdict;
  if (!lock_order.acquire(taking, is_try, lock_context(a), held_here(a), &verdict) &&
      rule_on(verdict.rule)) {
    fail_lock(verdict);
  }
}

void fail_destroyed(const char* name, uint64_t site, const char* what) {
  fail_at(Rule::kUseDestroyed, "the lock was destroyed here", site, 0,
          "lock '%s' is %s after it was destroyed", name, what);
}

void fail_too_many_held() {
  fail_at(Rule::kPanic, nullptr, 0, 0, "more than %u locks are held at once", kMaxHeld);
}

void judge_sleeping_lock(const Actor& a, const char* name) {
  if (a.context == ContextKind::kTask && a.irqs_on && a.preempt_off == 0 && a.spin_held == 0) {
    return;
  }
  if (!rule_on(Rule::kLockContext)) {
    return;
  }
  const Held* spin = waiting_forbidden_by(held_here(a));
  if (spin != nullptr) {
    fail_at(Rule::kLockContext, "the spin lock was taken here", spin->site, 0,
            "lock '%s', which may wait, is taken with spin lock '%s' held", name,
            lock_order.name(spin->lock_class));
  }
  fail_at(Rule::kLockContext, nullptr, 0, 0, "lock '%s', which may wait, is taken %s", name,
          a.context == ContextKind::kTask      ? "with interrupts or preemption off"
          : a.context == ContextKind::kSoftIrq ? "in a soft IRQ"
                                               : "in an interrupt");
}

void check_destroyed_held(const char* name, const void* lock) {
  if (!rule_on(Rule::kLockDestroyedHeld)) {
    return;
  }
  for (const Actor& a : actors) {
    for (int i = 0; a.state != ActorState::kFree && i < a.held_count; ++i) {
      if (a.held_rules[i].instance == lock) {
        fail_at(Rule::kLockDestroyedHeld, "it was taken here", a.held_rules[i].site, a.held[i],
                "lock '%s' is destroyed while task '%s' holds it", name, a.name);
      }
    }
  }
}

void fail_not_held(const char* name, uint32_t owner, uint64_t site) {
  if (owner != 0) {
    fail_at(Rule::kLockNotHeld, "it was taken here", site, 0,
            "lock '%s' is released by a context that does not hold it; task '%s' does", name,
            actors[owner - 1].name);
  }
  fail_at(Rule::kLockNotHeld, nullptr, 0, 0, "lock '%s' is released and nobody holds it", name);
}

void irqs_turned_on(uint64_t site) {
  const Actor& a = *core.current;
  if (a.held_count == a.held_base) [[likely]] {
    return;
  }
  LockVerdict verdict;
  if (!lock_order.interrupts_enabled(lock_context(a), held_here(a), site, &verdict) &&
      rule_on(verdict.rule)) {
    fail_lock(verdict);
  }
}

namespace hal {

void object_use(const ObjectRef& object) {
  if (is_destroyed(*object.state) && rule_on(Rule::kUseDestroyed)) [[unlikely]] {
    char label[64];
    snprintf(label, sizeof label, "the %s was destroyed here", object.kind);
    fail_at(Rule::kUseDestroyed, label, *object.site, static_cast<uint16_t>(*object.state),
            "the %s is used after it was destroyed", object.kind);
  }
}

void step(const char* what, const char* name, uint64_t site) {
  trace(TraceKind::kStep, 0, reinterpret_cast<uintptr_t>(what), site, name);
}

void object_destroyed(const ObjectRef& object, uint64_t site) {
  object_use(object);
  if (*object.waiters != 0 && rule_on(Rule::kUseDestroyed)) {
    fail_at(Rule::kUseDestroyed, nullptr, 0, 0, "the %s is destroyed while a task waits on it",
            object.kind);
  }
  *object.state = kObjectDestroyed | (core.details ? remember_stack() : 0u);
  *object.site = site;
}

void object_wait_begin(const ObjectRef& object) {
  object_use(object);
  if (object.one_waiter != 0 && *object.waiters != 0 && rule_on(Rule::kTwoWaiters)) {
    fail_at(Rule::kTwoWaiters, nullptr, 0, 0,
            "a second task waits on an object made for one waiter: %s", object.kind);
  }
  ++*object.waiters;
}

void object_wait_end(const ObjectRef& object) { --*object.waiters; }

void resource_taken(unsigned kind) { ++core.resources[kind]; }

void resource_returned(unsigned kind) { --core.resources[kind]; }

} // namespace hal

} // namespace kiln::sim
