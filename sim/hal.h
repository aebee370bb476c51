#pragma once
// What a HAL for the machine is made of: hal-host/ maps the kernel's contract onto these, one to
// one. Shapes are the machine's own; sim/ knows no kernel. What a kernel calls at every turn is
// inline, in lock_hooks.h and cpu_hooks.h.

#include <cstddef>
#include <cstdint>

#include "sim/machine.h"

namespace kiln::sim {

struct Actor;

inline constexpr unsigned kTimerLine = 0;

namespace hal {

// --- CPU and interrupts
void relax(const volatile uint32_t* word, uint32_t seen);
void softirq_enter();
void softirq_leave();
void irq_raise(unsigned cpu, unsigned line);

// --- Time
uint64_t clock_ns();
void timer_arm(uint64_t deadline_ns);

// --- Tasks
Actor* task_create(const char* name, void (*entry)(void*), void* argument, uint64_t cpu_mask,
                   uint64_t site);
Actor* task_current();
[[noreturn]] void task_exit();
void task_release(Actor* task);
bool park(uint64_t deadline_ns);
void unpark(Actor* task);
void yield();

// --- Memory. `site`: return address of the kernel's call.
void* allocate(size_t size, size_t align, bool may_wait, uint64_t site);
void release(void* block, uint64_t site);
/// An allocator of the kernel's own looks for memory; false: it is to find none. Judged, counted
/// and made to fail like allocate().
bool memory_asked(size_t size, uint64_t site);
/// Bytes inside a block of the heap that such an allocator hands out (filled as fresh memory is),
/// or holds back: nobody's until they are handed out.
void memory_handed_out(void* at, size_t size);
void memory_freed(void* at, size_t size);

// --- Waiting
void may_wait(const char* what);
void waits_for_cpus(const char* what);
struct WaitRef {
  const char* what;
  const char* name;
  const void* object;
  const uint32_t* lock_owner; ///< LockRef::owner of the lock waited for, or null
  Actor* task;                ///< the task waited for, or null
};
void wait_begin(const WaitRef& wait, uint64_t site);
void wait_end();

// --- Objects and resources
struct ObjectRef {
  const char* kind;
  uint32_t* state;
  uint16_t one_waiter;
  uint16_t* waiters;
  uintptr_t* site; ///< where it was destroyed
};
void object_use(const ObjectRef& object);
/// For trace and schedule only. Both static; name may be null.
void step(const char* what, const char* name, uint64_t site);
void object_destroyed(const ObjectRef& object, uint64_t site);
void object_wait_begin(const ObjectRef& object);
void object_wait_end(const ObjectRef& object);
/// kind: 0 timer, 1 reference, 2 mapping, 3 page.
void resource_taken(unsigned kind);
void resource_returned(unsigned kind);

// --- Console and panic
void console_write(const char* bytes, size_t size);
[[noreturn]] void panic(const char* reason);

} // namespace hal

} // namespace kiln::sim
