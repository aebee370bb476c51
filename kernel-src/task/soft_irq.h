#pragma once
// Soft IRQs: the longer half of interrupt handling, with interrupts on. Each vector has one
// handler; it runs on the CPU that raised it, on top of whatever that CPU does, in context
// kHalSoftIrq: it must not wait. Handlers of one CPU never interrupt each other; the same vector
// may run on two CPUs at the same time.
//
// They run at the end of the next interrupt. When handlers keep raising vectors they get a few
// rounds there, and then the rest goes to a task of that CPU, so that other tasks have their turn.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/inline.h"

namespace clay {

enum class SoftIrq : uint8_t {
  kBlock,       ///< requests that a disk has completed
  kNetTransmit, ///< packets that a network device has sent
  kNetReceive,  ///< packets that a network device has received
  kConsole,     ///< log records for the console
  kCount,
};

struct SoftIrqHandler {
  void (*run)(void* arg);
  void* arg;
};

/// Connects a vector. `handler` must stay where it is until the vector is disconnected. kBusy when
/// there is a handler already. Any context but NMI.
Result<> connect_soft_irq(SoftIrq vector, const SoftIrqHandler& handler);

void wait_disconnect_soft_irq(SoftIrq vector);

/// Takes the vector's handler away and waits until it runs nowhere any more; raising the vector
/// does nothing then. Task context, with nothing held that the handler takes.
CLAY_INLINE void disconnect_soft_irq(SoftIrq vector) {
  hal_may_wait("disconnect soft irq");
  wait_disconnect_soft_irq(vector);
}

/// Has the vector's handler run on this CPU soon; once, however often it is raised before that.
/// Any context but NMI.
void raise_soft_irq(SoftIrq vector);

/// How often the rest went to a task, since boot. Any context.
uint32_t soft_irq_hand_overs();

/// At the end of an interrupt, interrupts off: runs what is pending, unless it is being run.
void run_pending_soft_irqs();

} // namespace clay
