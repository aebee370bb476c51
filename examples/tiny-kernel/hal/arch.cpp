// The tiny kernel's arch.h on the simulated machine.

#include "kernel/arch.h"

#include "hal/sensor_port.h"
#include "kernel/sensor.h"
#include "sim/cpu_hooks.h"
#include "sim/engine.h"
#include "sim/hal.h"

namespace hal = kiln::sim::hal;

namespace tiny {

SensorPort sensor_port;

namespace {

void boot() {} // this kernel has nothing to bring up

void interrupt(unsigned line) {
  if (line == SENSOR_LINE) sensor_interrupt();
}

[[gnu::constructor]] void register_kernel() {
  kiln::sim::set_kernel({.name = KILN_KERNEL_NAME,
                         .boot = boot,
                         .interrupt = interrupt,
                         .harness = "examples/tiny-kernel/hal/",
                         .waiting = ""});
}

} // namespace
} // namespace tiny

extern "C" {

bool arch_irq_save() { return hal::irq_save(); }
void arch_irq_restore(bool were_on) {
  hal::irq_restore(were_on, reinterpret_cast<uint64_t>(__builtin_return_address(0)));
}
void arch_spin(const volatile uint32_t* word, uint32_t seen) { hal::relax(word, seen); }

thread* arch_self() { return reinterpret_cast<thread*>(hal::task_current()); }
void arch_sleep() { hal::park(UINT64_MAX); }
void arch_wake(thread* thread) { hal::unpark(reinterpret_cast<kiln::sim::Actor*>(thread)); }

bool arch_sensor_take(uint32_t* sample) {
  tiny::SensorPort& port = tiny::sensor_port;
  if (port.sent == port.most) return false;
  *sample = ++port.sent;
  return true;
}
}
