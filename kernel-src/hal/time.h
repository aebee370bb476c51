#pragma once
// The clock and the one-shot timer of each CPU.

#include <stdint.h>

extern "C" {

/// A deadline that never comes.
inline constexpr uint64_t kHalNever = UINT64_MAX;

/// Nanoseconds since the machine was switched on. Never goes back; the same on all CPUs. Reading
/// takes a little time. Any context.
uint64_t hal_clock_ns(void);

/// Arms this CPU's timer: line kHalTimerIrq is raised here once the clock has reached deadline_ns
/// (at once if it already has). Replaces what was armed; kHalNever disarms. Preemption must be off.
void hal_timer_arm(uint64_t deadline_ns);
}
