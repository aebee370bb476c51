#pragma once
// Interrupt lines and contexts.

#include <stdint.h>

extern "C" {

/// Interrupt lines of a CPU are 0 to kHalIrqLines - 1. Line kHalTimerIrq is the CPU's own timer; by
/// kHalIpiIrq the kernel's CPUs call on each other (hal_irq_raise), and by kHalTlbIrq they have
/// each other forget translations: a line of its own, because somebody waits with interrupts off.
inline constexpr unsigned kHalIrqLines = 32;
inline constexpr unsigned kHalTimerIrq = 0;
inline constexpr unsigned kHalIpiIrq = 1;
inline constexpr unsigned kHalTlbIrq = 2;

enum HalContext : uint8_t {
  kHalTask = 0,    ///< a task; may wait when interrupts and preemption are on
  kHalSoftIrq = 1, ///< a soft IRQ handler: on top of a task, interrupts on, never waits
  kHalIrq = 2,     ///< an interrupt handler: interrupts off, never waits
  kHalNmi = 3,     ///< a non-maskable interrupt: may take no lock
};

/// Context of the caller. Any context.
HalContext hal_context(void);

/// The kernel starts (ends) running soft IRQ handlers on this CPU: from the tail of an interrupt or
/// from a task, with preemption disabled. Entering turns interrupts on, leaving puts the flag back
/// to what it was. Does not nest.
void hal_softirq_enter(void);
void hal_softirq_leave(void);

/// Raises `line` on `cpu`: pending until that CPU takes it; raising a pending line again changes
/// nothing. Any context.
void hal_irq_raise(unsigned cpu, unsigned line);
}
