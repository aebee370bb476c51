// Clay's HAL contract on the simulated machine: one line each, the meaning is in sim/hal.h.

#include "sim/hal.h"

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/console.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/entry.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/hal/memory.h"
#include "kernel-src/hal/task.h"
#include "kernel-src/hal/time.h"
#include "sim/cpu_hooks.h"
#include "sim/engine.h"
#include "sim/lock_hooks.h"
#include "sim/machine.h"

namespace sim = kiln::sim;
namespace hal = kiln::sim::hal;

static_assert(kHalMaxCpus == sim::kMaxCpus && kHalIrqLines == sim::kIrqLines);
static_assert(kHalTimerIrq == sim::kTimerLine);

#define CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))

namespace {

[[gnu::constructor]] void register_clay() {
  sim::set_kernel({.name = "clay",
                   .boot = clay_boot,
                   .interrupt = clay_interrupt,
                   .harness = "hal-host/ kernel-src/hal/",
                   .waiting = "kernel-src/sync/ kernel-src/task/"});
}

sim::Actor* actor(HalTask* task) { return reinterpret_cast<sim::Actor*>(task); }
HalTask* task(sim::Actor* actor) { return reinterpret_cast<HalTask*>(actor); }

hal::LockRef lock(HalLockMap* map) {
  return {map,
          map->lock_class->name,
          &map->lock_class->hal_id,
          map->kind == kHalSleepingLock,
          map->lock_class->role == kHalOfAllocator,
          &map->hal_state,
          &map->hal_owner,
          &map->hal_site};
}

hal::LockUse use(uint32_t mode) {
  return {static_cast<uint8_t>(mode & kHalLockModeMask), (mode & kHalLockTry) != 0,
          (mode & kHalLockNested) != 0};
}

hal::ObjectRef object(HalObject* o) {
  return {o->kind, &o->hal_state, o->one_waiter, &o->hal_waiters, &o->hal_site};
}

} // namespace

extern "C" {

unsigned hal_cpu_id() { return hal::cpu_id(); }
unsigned hal_cpu_count() { return sim::machine().cpus(); }
bool hal_irq_save() { return hal::irq_save(); }
void hal_irq_restore(bool were_on) { hal::irq_restore(were_on, CALLER); }
bool hal_irqs_on() { return hal::irqs_on(); }
void hal_preempt_disable() { hal::preempt_disable(); }
void hal_preempt_enable() { hal::preempt_enable(); }
void hal_cpu_relax(const volatile uint32_t* word, uint32_t seen) { hal::relax(word, seen); }

HalContext hal_context() { return static_cast<HalContext>(hal::context()); }
void hal_softirq_enter() { hal::softirq_enter(); }
void hal_softirq_leave() { hal::softirq_leave(); }
void hal_irq_raise(unsigned cpu, unsigned line) { hal::irq_raise(cpu, line); }

uint64_t hal_clock_ns() { return hal::clock_ns(); }
void hal_timer_arm(uint64_t deadline_ns) { hal::timer_arm(deadline_ns); }

HalTask* hal_task_create(const char* name, void (*entry)(void*), void* arg, uint64_t cpu_mask) {
  return task(hal::task_create(name, entry, arg, cpu_mask, CALLER));
}
HalTask* hal_task_current() { return task(hal::task_current()); }
void hal_task_exit() { hal::task_exit(); }
void hal_task_release(HalTask* t) { hal::task_release(actor(t)); }
bool hal_park(uint64_t deadline_ns) { return hal::park(deadline_ns); }
void hal_unpark(HalTask* t) { hal::unpark(actor(t)); }
void hal_yield() { hal::yield(); }

void* hal_alloc(size_t size, size_t align, HalAlloc how) {
  return hal::allocate(size, align, how == kHalAllocMayWait, CALLER);
}
void hal_free(void* block) { hal::release(block, CALLER); }

void hal_console_write(const char* bytes, size_t size) { hal::console_write(bytes, size); }
void hal_panic(const char* reason) { hal::panic(reason); }

void hal_lock_acquiring(HalLockMap* map, uint32_t mode) {
  hal::lock_acquiring(lock(map), use(mode), CALLER);
}
void hal_lock_acquired(HalLockMap* map, uint32_t mode) {
  hal::lock_acquired(lock(map), use(mode), CALLER);
}
void hal_lock_released(HalLockMap* map, uint32_t) { hal::lock_released(lock(map), CALLER); }
void hal_lock_destroyed(HalLockMap* map) { hal::lock_destroyed(lock(map), CALLER); }

void hal_may_wait(const char* what) { hal::may_wait(what); }
void hal_waits_for_cpus(const char* what) { hal::waits_for_cpus(what); }
void hal_wait_begin(const HalWait* wait) {
  hal::wait_begin({wait->what, wait->name, wait->object,
                   wait->lock == nullptr ? nullptr : &wait->lock->hal_owner, actor(wait->task)},
                  CALLER);
}
void hal_wait_end() { hal::wait_end(); }

void hal_step(const char* what, const char* name) { hal::step(what, name, CALLER); }
void hal_object_use(HalObject* o) { hal::object_use(object(o)); }
void hal_object_destroyed(HalObject* o) { hal::object_destroyed(object(o), CALLER); }
void hal_object_wait_begin(HalObject* o) { hal::object_wait_begin(object(o)); }
void hal_object_wait_end(HalObject* o) { hal::object_wait_end(object(o)); }

bool hal_memory_asked(size_t size) { return hal::memory_asked(size, CALLER); }
void hal_memory_handed_out(void* block, size_t size) { hal::memory_handed_out(block, size); }
void hal_memory_freed(void* block, size_t size) { hal::memory_freed(block, size); }

void hal_resource_taken(HalResource kind, const void*) { hal::resource_taken(kind); }
void hal_resource_returned(HalResource kind, const void*) { hal::resource_returned(kind); }
}
