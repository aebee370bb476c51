#pragma once
// What a lock's annotations do when nothing is wrong; all else is in locks.cpp. The machine's
// record of a lock lies inside the kernel's, so nothing is looked up.

#include "sim/core.h"

namespace kiln::sim {

namespace hal {

/// The parts of the kernel's lock record that belong to the machine, and what it must know.
struct LockRef {
  const void* lock;   ///< identity
  const char* name;   ///< of the class
  uint32_t* class_id; ///< the class's; 0 = not yet known
  bool sleeps;        ///< taking it may wait in task context; holding it may too
  bool of_allocator;  ///< guards the allocator: nothing may be allocated while it is held
  uint8_t* state;
  uint32_t* owner;
  uintptr_t* site;
};
struct LockUse {
  uint8_t mode; ///< LockMode's numbering
  bool is_try;
  bool nested;
};

} // namespace hal

/// LockRef::state: the number of holders, or this.
inline constexpr uint8_t kDestroyedLock = 0xDD;

// The rare ways. They take copies, so that the common way keeps everything in registers.

/// Gives a class its number.
uint32_t name_class(const char* name);
void judge_sleeping_lock(const Actor& a, const char* name);
void judge_unknown(Held taking, bool is_try, const Actor& a);
[[noreturn]] void fail_destroyed(const char* name, uint64_t site, const char* what);
[[noreturn]] void fail_not_held(const char* name, uint32_t owner, uint64_t site);
[[noreturn]] void fail_too_many_held();
void check_destroyed_held(const char* name, const void* lock);

/// The locks of this very context.
inline std::span<const Held> held_here(const Actor& a) {
  return {a.held_rules + a.held_base, size_t{a.held_count} - a.held_base};
}

inline LockContext lock_context(const Actor& a) {
  bool task = a.context == ContextKind::kTask;
  return {a.context == ContextKind::kIrq || a.context == ContextKind::kNmi,
          a.context == ContextKind::kSoftIrq, a.irqs_on, task && a.irqs_on};
}

inline void check_not_destroyed(const hal::LockRef& lock, const char* what) {
  if (*lock.state == kDestroyedLock && rule_on(Rule::kUseDestroyed)) [[unlikely]] {
    fail_destroyed(lock.name, *lock.site, what);
  }
}

[[gnu::always_inline]] inline Held describe_take(const hal::LockRef& lock, hal::LockUse use,
                                                 uint64_t site) {
  if (*lock.class_id == 0) [[unlikely]] {
    *lock.class_id = name_class(lock.name);
  }
  return Held{.lock_class = static_cast<uint16_t>(*lock.class_id - 1),
              .mode = static_cast<LockMode>(use.mode),
              .nested = use.nested,
              .spins = !lock.sleeps,
              .of_allocator = lock.of_allocator,
              .instance = lock.lock,
              .site = site};
}

[[gnu::always_inline]] inline void judge(const Held& taking, bool is_try, const Actor& a) {
  if (!lock_order.known(taking, is_try, lock_context(a), held_here(a))) [[unlikely]] {
    judge_unknown(taking, is_try, a);
  }
}

namespace hal {

[[gnu::always_inline]] inline void lock_acquiring(const LockRef& lock, LockUse use, uint64_t site) {
  if (!core.running) {
    return;
  }
  const Actor& a = self();
  check_not_destroyed(lock, "taken");
  if (lock.sleeps) {
    judge_sleeping_lock(a, lock.name);
  }
  trace(TraceKind::kLockAcquire, 0, 0, site, lock.name);
  judge(describe_take(lock, use, site), false, a);
}

[[gnu::always_inline]] inline void lock_acquired(const LockRef& lock, LockUse use, uint64_t site) {
  if (!core.running) {
    return;
  }
  Actor& a = self();
  if (use.is_try) {
    check_not_destroyed(lock, "taken");
    judge(describe_take(lock, use, site), true, a);
  }
  if (a.held_count == kMaxHeld) [[unlikely]] {
    fail_too_many_held();
  }
  Held& taken = a.held_rules[a.held_count];
  taken = describe_take(lock, use, site);
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

[[gnu::always_inline]] inline void lock_released(const LockRef& lock, uint64_t site) {
  if (!core.running) {
    return;
  }
  Actor& a = self();
  check_not_destroyed(lock, "released");
  unsigned at = a.held_count;
  while (at > a.held_base && a.held_rules[at - 1].instance != lock.lock) {
    --at;
  }
  if (at == a.held_base) [[unlikely]] {
    if (rule_on(Rule::kLockNotHeld)) {
      fail_not_held(lock.name, *lock.owner, *lock.site);
    }
    return;
  }
  --*lock.state;
  if (a.held_rules[at - 1].mode == LockMode::kExclusive) {
    *lock.owner = 0;
  }
  for (; at < a.held_count; ++at) {
    a.held_rules[at - 1] = a.held_rules[at];
    a.held[at - 1] = a.held[at];
  }
  --a.held_count;
  a.spin_held = static_cast<uint16_t>(a.spin_held - !lock.sleeps);
  trace(TraceKind::kLockRelease, 0, 0, site, lock.name);
}

[[gnu::always_inline]] inline void lock_destroyed(const LockRef& lock, uint64_t site) {
  if (!core.running) {
    return;
  }
  check_not_destroyed(lock, "destroyed again");
  if (*lock.state != 0) [[unlikely]] {
    check_destroyed_held(lock.name, lock.lock);
  }
  *lock.state = kDestroyedLock;
  *lock.site = site;
}

} // namespace hal

} // namespace kiln::sim
