#pragma once
// The CPU the caller runs on: its number, its interrupt flag, its preemption count.
//
// Atomic operations are std::atomic's; no function here stands for one.

#include <stdint.h>

extern "C" {

/// Largest number of CPUs that a machine can have.
inline constexpr unsigned kHalMaxCpus = 8;

/// Number of this CPU, from 0. Stable only while the caller cannot be preempted or migrated.
/// Any context.
unsigned hal_cpu_id(void);

/// CPUs that are online, at least 1 and at most kHalMaxCpus. Constant after boot. Any context.
unsigned hal_cpu_count(void);

/// Turns interrupts off on this CPU and returns whether they were on. Nests by that value: restores
/// must come in the reverse order of saves. Any context.
bool hal_irq_save(void);

/// Puts the interrupt flag back to what the matching hal_irq_save returned. If that turns
/// interrupts on, those that are pending are taken before the call returns. Any context.
void hal_irq_restore(bool were_on);

/// Whether this CPU takes interrupts now. Any context.
bool hal_irqs_on(void);

/// Until the matching enable, the caller keeps its CPU: no other task runs there. Nests.
/// Interrupts still arrive. Any context.
void hal_preempt_disable(void);

/// Undoes one hal_preempt_disable. At depth 0 another task may run before the call returns.
void hal_preempt_enable(void);

/// One turn of a loop that spins until *word is no longer `seen`: the caller has just read `seen`
/// there. Returns at once when the word differs; else may let others run, and may return early
/// (after an interrupt, say): read the word again. Any context.
void hal_cpu_relax(const volatile uint32_t* word, uint32_t seen);
}
