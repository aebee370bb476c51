#pragma once
// What the sync targets share: how many CPUs and disturbances a run has, a device that interrupts,
// and places where somebody else may step in.

#include <atomic>
#include <vector>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/soft_irq.h"
#include "kernel-src/task/task.h"
#include "sim/machine.h"
#include "sim/target.h"

namespace kiln::sync {

/// Line of the device that a run's interrupt program stands behind.
inline constexpr unsigned kDeviceLine = 8;
/// Vector of its soft IRQ program.
inline constexpr auto kDeviceSoftIrq = clay::SoftIrq::kNetReceive;

/// A scheduling point: `times` places where another CPU, task or interrupt may step in. What was
/// read before is not known after it: the compiler must not keep it (a relaxed atomic alone lets
/// it).
inline void breathe(unsigned times = 1) {
  static constinit std::atomic<unsigned> nothing{0};
  for (unsigned i = 0; i < times; ++i) {
    static_cast<void>(nothing.load(std::memory_order_relaxed));
    asm volatile("" ::: "memory");
  }
}

/// Drawn first in every run; all ordinary: one CPU, no disturbance.
struct Shape {
  unsigned cpus;
  bool device_any_time; ///< the device's line may be raised at any scheduling point
  bool spurious_wakes;
  bool may_fail; ///< an allocation fails: tasks may be missing
};

inline Shape draw_shape(sim::Run& run) {
  auto swarm = run.tape.swarm();
  Shape shape{};
  shape.cpus = static_cast<unsigned>(swarm.between(1, 4));
  shape.device_any_time = swarm.boolean();
  shape.spurious_wakes = swarm.boolean();
  shape.may_fail = swarm.below(8) == 7;
  run.machine.set_cpus(shape.cpus);
  run.machine.allow_spurious_wakes(shape.spurious_wakes);
  for (unsigned cpu = 0; shape.device_any_time && cpu < shape.cpus; ++cpu) {
    run.machine.allow_irq(cpu, kDeviceLine);
  }
  if (shape.may_fail) {
    run.machine.fail_allocation(run.tape.fault().below(8));
  }
  return shape;
}

/// A device whose interrupt and soft IRQ run programs of the target while it lives.
class Device {
 public:
  using Program = void (*)(void* arg);
  Device(Program irq, Program soft_irq, void* arg)
      : irq_{[](unsigned, void* self) { call(self, &Device::irq_program_); }, this},
        soft_irq_{[](void* self) { call(self, &Device::soft_program_); }, this}, irq_program_(irq),
        soft_program_(soft_irq), arg_(arg) {
    // The interrupt program raises the soft IRQ: it comes last and goes first.
    KILN_CHECK(clay::connect_soft_irq(kDeviceSoftIrq, soft_irq_).ok(), "the vector has a handler");
    KILN_CHECK(clay::connect_interrupt(kDeviceLine, irq_).ok(), "the line has a handler already");
  }
  ~Device() {
    clay::disconnect_interrupt(kDeviceLine);
    clay::disconnect_soft_irq(kDeviceSoftIrq);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

 private:
  static void call(void* self, Program Device::* program) {
    auto& device = *static_cast<Device*>(self);
    (device.*program)(device.arg_);
  }

  clay::InterruptHandler irq_;
  clay::SoftIrqHandler soft_irq_;
  Program irq_program_;
  Program soft_program_;
  void* arg_;
};

inline bool in_interrupt() { return hal_context() == kHalIrq; }
inline bool in_soft_irq() { return hal_context() == kHalSoftIrq; }

/// Starts a task; an empty handle where an allocation was made to fail.
inline clay::Task start_task(const Shape& shape, const char* name, void (*entry)(void*), void* arg,
                             uint64_t cpu_mask = 0) {
  clay::Result<clay::Task> task = clay::Task::create(name, entry, arg, cpu_mask);
  KILN_CHECK(task.ok() || shape.may_fail, "task '%s' could not be made", name);
  return task.ok() ? task.take() : clay::Task();
}

inline void join_all(clay::Task* tasks, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (tasks[i]) {
      tasks[i].join();
    }
  }
}

/// Runs each program in a task of its own, all at once, and waits for their ends.
template <size_t kMost, typename Program>
void run_tasks(const Shape& shape, const char* name, void (*entry)(void*),
               std::vector<Program>& programs) {
  clay::Task tasks[kMost];
  for (size_t i = 0; i < programs.size(); ++i) {
    tasks[i] = start_task(shape, name, entry, &programs[i]);
  }
  join_all(tasks, programs.size());
}

/// Judges a timed wait that has given up: neither early nor forgotten.
inline void check_gave_up(sim::Machine& machine, uint64_t began_ns, uint64_t deadline_ns,
                          const char* what) {
  KILN_CHECK(machine.now() >= deadline_ns, "%s gave up %llu ns before its deadline", what,
             static_cast<unsigned long long>(deadline_ns - machine.now()));
  const uint64_t due_ns = deadline_ns > began_ns ? deadline_ns : began_ns;
  KILN_CHECK(machine.idle_until() <= due_ns,
             "%s went on %llu ns after its deadline, though the machine was idle in between", what,
             static_cast<unsigned long long>(machine.idle_until() - due_ns));
}

} // namespace kiln::sync
