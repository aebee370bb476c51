// Statistics are counted in interrupts, with their lock done right. Reporting them takes the log's
// lock inside; the log is written elsewhere with interrupts on.

#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/interrupts.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr unsigned kDeviceLine = 11;
constinit clay::LockClass stats_class{"canary-stats"};
constinit clay::LockClass log_class{"canary-log"};

struct Device {
  clay::IrqSpinLock stats{stats_class};
  clay::SpinLock log{log_class};
  uint32_t errors = 0;
};

void on_interrupt(unsigned, void* argument) {
  auto& device = *static_cast<Device*>(argument);
  clay::IrqSpinGuard guard(device.stats);
  ++device.errors;
}

void report(Device& device) {
  clay::IrqSpinGuard stats(device.stats);
  if (device.errors > 2) {
    clay::SpinGuard log(device.log);
    device.errors = 0;
  }
}

void write_log(Device& device) { clay::SpinGuard log(device.log); }

void run(sim::Run& run) {
  auto data = run.tape.data();
  Device device;
  const clay::InterruptHandler handler{on_interrupt, &device};
  KILN_CHECK(clay::connect_interrupt(kDeviceLine, handler).ok(), "the line is taken");
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    switch (data.below(4)) {
    case 0:
      break;
    case 1:
      report(device);
      break;
    case 2:
      write_log(device);
      break;
    default:
      hal_irq_raise(hal_cpu_id(), kDeviceLine);
    }
  }
  clay::disconnect_interrupt(kDeviceLine);
}

sim::Target target{{
    .name = "canary/lock-irq-order",
    .purpose = "Waits for a lock held with interrupts on under one that interrupts take.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockIrqOrder,
}};

} // namespace
} // namespace kiln
