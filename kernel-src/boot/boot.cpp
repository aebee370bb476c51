// How the machine enters the kernel: once to boot it, and then by interrupts.

#include "kernel-src/hal/entry.h"
#include "kernel-src/log/console.h"
#include "kernel-src/mm/tlb_shootdown.h"
#include "kernel-src/task/cross_call.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/soft_irq.h"
#include "kernel-src/task/timer_queue.h"
#include "kernel-src/task/work_queue.h"

void clay_boot() {
  clay::TimerQueue::boot();
  clay::boot_cross_calls();
  clay::boot_tlb_shootdown();
  clay::boot_console();
  clay::boot_work();
}

void clay_interrupt(unsigned line) {
  clay::dispatch_interrupt(line);
  clay::run_pending_soft_irqs();
}
