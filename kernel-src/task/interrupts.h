#pragma once
// Who handles which interrupt line. One handler a line, for all CPUs; lines without one are counted
// and otherwise ignored.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/inline.h"

namespace clay {

/// Runs on the CPU that takes the interrupt, context kHalIrq, interrupts off: short, never waits.
struct InterruptHandler {
  void (*handle)(unsigned line, void* arg);
  void* arg;
};

/// Connects a line. `handler` must stay where it is until the line is disconnected. kBusy when the
/// line has a handler, kOutOfRange when there is no such line. Any context but NMI.
Result<> connect_interrupt(unsigned line, const InterruptHandler& handler);

void wait_disconnect_interrupt(unsigned line);

/// Takes the handler of `line` away and waits until it runs nowhere any more. Task context, with
/// nothing held that the handler takes.
CLAY_INLINE void disconnect_interrupt(unsigned line) {
  hal_may_wait("disconnect interrupt");
  wait_disconnect_interrupt(line);
}

/// Interrupts on lines without a handler, since boot. Any context.
uint32_t stray_interrupts();

/// Calls the handler of `line`; by clay_interrupt only.
void dispatch_interrupt(unsigned line);

} // namespace clay
