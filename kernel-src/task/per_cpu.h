#pragma once
// One object for each CPU.

#include "kernel-src/hal/cpu.h"
#include "kernel-src/lib/assert.h"

namespace clay {

template <typename T> class PerCpu {
 public:
  constexpr PerCpu() = default;
  PerCpu(const PerCpu&) = delete;
  PerCpu& operator=(const PerCpu&) = delete;

  /// That of this CPU; for as long as the caller keeps interrupts or preemption off.
  T& here() { return slots_[hal_cpu_id()].value; }

  T& on(unsigned cpu) {
    CLAY_ASSERT(cpu < kHalMaxCpus);
    return slots_[cpu].value;
  }

 private:
  /// A cache line of its own, so that CPUs do not slow each other down.
  struct alignas(64) Slot {
    T value;
  };
  Slot slots_[kHalMaxCpus];
};

} // namespace clay
