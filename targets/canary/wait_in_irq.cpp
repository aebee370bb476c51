// A disk's interrupt handler waits for room in the queue of finished requests.

#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/semaphore.h"
#include "kernel-src/task/interrupts.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr unsigned kDiskLine = 9;

struct Disk {
  clay::Semaphore room{"finished", 3};
};

void on_interrupt(unsigned, void* disk) {
  auto& room = static_cast<Disk*>(disk)->room;
  if (!room.try_acquire()) {
    room.acquire();
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Disk disk;
  const clay::InterruptHandler handler{on_interrupt, &disk};
  KILN_CHECK(clay::connect_interrupt(kDiskLine, handler).ok(), "the line is taken");
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    if (data.below(3) != 0) {
      hal_irq_raise(hal_cpu_id(), kDiskLine);
    } else {
      disk.room.release();
    }
  }
  clay::disconnect_interrupt(kDiskLine);
}

sim::Target target{{
    .name = "canary/wait-in-irq",
    .purpose = "Waits in an interrupt handler when a queue is full.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kWaitInIrq,
}};

} // namespace
} // namespace kiln
