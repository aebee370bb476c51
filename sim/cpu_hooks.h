#pragma once
// The interrupt flag, the preemption count and who asks: the part of a HAL that a kernel calls at
// every turn.

#include "sim/core.h"

namespace kiln::sim {

/// irq_restore(were_on) does not belong to the last irq_save.
[[noreturn]] void fail_irq_restore();
[[noreturn]] void fail_preempt_enable();
/// Interrupts are on again: locks held are judged, and what is pending is taken.
void irqs_are_on(uint64_t site);

namespace hal {

inline unsigned cpu_id() { return self().cpu == kNoCpu ? self().home : self().cpu; }
inline unsigned context() { return static_cast<unsigned>(self().context); }
inline bool irqs_on() { return self().irqs_on; }

inline bool irq_save() {
  Actor& a = self();
  bool were_on = a.irqs_on;
  a.irqs_on = false;
  ++a.irq_depth;
  return were_on;
}

/// `site`: return address of the kernel's call.
inline void irq_restore(bool were_on, uint64_t site) {
  Actor& a = self();
  bool expected = a.irq_depth == 1 && a.base_irqs_on;
  if ((a.irq_depth == 0 || were_on != expected) && rule_on(Rule::kIrqRestoreOrder)) [[unlikely]] {
    fail_irq_restore();
  }
  --a.irq_depth;
  if (were_on) {
    a.irqs_on = true;
    if (a.held_count != a.held_base || interrupts_wait()) [[unlikely]] {
      irqs_are_on(site);
    }
    point();
  }
}

inline void preempt_disable() { ++self().preempt_off; }

inline void preempt_enable() {
  Actor& a = self();
  if (a.preempt_off == 0 && rule_on(Rule::kIrqRestoreOrder)) [[unlikely]] {
    fail_preempt_enable();
  }
  if (--a.preempt_off == 0) {
    point();
  }
}

} // namespace hal

} // namespace kiln::sim
