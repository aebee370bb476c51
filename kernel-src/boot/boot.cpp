// How the machine enters the kernel.

#include "kernel-src/hal/entry.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/task/interrupts.h"

void clay_boot() {}

void clay_interrupt(unsigned line) {
  if (line < kHalIrqLines) {
    clay::dispatch_interrupt(line);
  }
}
