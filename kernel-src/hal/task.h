#pragma once
// Tasks: kernel threads, each on a stack of its own. The machine schedules them; the kernel says
// when one waits and when it may go on.

#include <stdint.h>

extern "C" {

struct HalTask; ///< opaque; valid from hal_task_create to hal_task_release

/// Starts a task that runs entry(arg) on any CPU of cpu_mask (bit n = CPU n; 0 = all). `name` and
/// what arg points to must outlive it. Null when there is no room for another task. Never waits;
/// any context.
HalTask* hal_task_create(const char* name, void (*entry)(void*), void* arg, uint64_t cpu_mask);

/// The calling task; in an interrupt or soft IRQ, the one interrupted (null on an idle CPU).
HalTask* hal_task_current(void);

/// Ends the calling task, as returning from its entry does. Locks held then are a bug.
[[noreturn]] void hal_task_exit(void);

/// Gives up the handle. The task itself runs on; its record goes once it has ended. Any context.
void hal_task_release(HalTask* task);

/// Waits until hal_unpark(this task) or deadline_ns. A permit, at most one, is kept when unpark
/// comes first. True when a permit was taken; false at the deadline and, now and then, for no
/// reason at all: callers look again at what they wait for. Task context, nothing held.
bool hal_park(uint64_t deadline_ns);

/// Gives `task` its permit. Harmless on a task that has ended. Never waits; any context.
void hal_unpark(HalTask* task);

/// Lets other tasks run. Task context, nothing held.
void hal_yield(void);
}
