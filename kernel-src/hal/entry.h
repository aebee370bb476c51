#pragma once
// What the machine calls in the kernel.

extern "C" {

/// Brings the kernel up, once, on CPU 0 in task context, before anything else runs.
void clay_boot(void);

/// An interrupt of `line`, below kHalIrqLines: on the CPU that takes it, interrupts off, context
/// kHalIrq.
void clay_interrupt(unsigned line);
}
