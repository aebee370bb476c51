// Interrupt lines, the interrupt flag, preemption counts and soft IRQ context.

#include "sim/core.h"
#include "sim/cpu_hooks.h"
#include "sim/engine.h"
#include "sim/hal.h"
#include "sim/scheduler.h"

namespace kiln::sim {

namespace {

SavedContext enter_context(Actor& a, ContextKind context, bool irqs_on) {
  SavedContext below{a.context,     a.irqs_on,   a.base_irqs_on, a.irq_depth,
                     a.preempt_off, a.held_base, a.spin_word};
  a.context = context;
  a.irqs_on = irqs_on;
  a.base_irqs_on = irqs_on;
  a.irq_depth = 0;
  a.held_base = a.held_count;
  a.spin_word = nullptr;
  return below;
}

/// A handler must leave everything as it found it.
void check_left_clean(const Actor& a, const SavedContext& below, const char* what) {
  if (a.held_count > a.held_base && rule_on(Rule::kTaskEndsHolding)) {
    const Held& held = a.held_rules[a.held_count - 1];
    fail_at(Rule::kTaskEndsHolding, "the lock was taken here", held.site, 0,
            "%s ends with lock '%s' held", what, lock_order.name(held.lock_class));
  }
  if ((a.irq_depth != 0 || a.preempt_off != below.preempt_off) && rule_on(Rule::kIrqRestoreOrder)) {
    fail_at(Rule::kIrqRestoreOrder, nullptr, 0, 0, "%s ends with interrupts or preemption left off",
            what);
  }
}

void leave_context(Actor& a, const SavedContext& below) {
  a.context = below.context;
  a.irqs_on = below.irqs_on;
  a.base_irqs_on = below.base_irqs_on;
  a.irq_depth = below.irq_depth;
  a.preempt_off = below.preempt_off;
  a.held_base = below.held_base;
  a.held_count = a.held_count < below.held_base ? below.held_base : a.held_count;
  a.spin_word = below.spin_word;
}

void run_handler(Actor& a, unsigned line) {
  trace(TraceKind::kIrqEnter, 0, line);
  mix((uint64_t{a.cpu} << 8) ^ line ^ 0x4952510000u);
  uint16_t held_before = a.held_count;
  SavedContext below = enter_context(a, ContextKind::kIrq, false);
  kernel().interrupt(line);
  check_left_clean(a, below, "an interrupt handler");
  leave_context(a, below);
  a.held_count = held_before;
  trace(TraceKind::kIrqLeave, 0, line);
}

} // namespace

void take_interrupts() {
  Actor& a = *core.current;
  while (a.irqs_on && a.cpu != kNoCpu && core.cpus[a.cpu].pending != 0) {
    unsigned line = static_cast<unsigned>(__builtin_ctz(core.cpus[a.cpu].pending));
    core.cpus[a.cpu].pending &= core.cpus[a.cpu].pending - 1;
    run_handler(a, line);
  }
}

void raise_line(unsigned cpu, unsigned line) {
  if (cpu >= core.cpu_count || line >= kIrqLines) {
    return;
  }
  trace(TraceKind::kIrqRaise, static_cast<uint16_t>(cpu), line);
  core.cpus[cpu].pending |= uint32_t{1} << line;
  uint16_t occupant = core.cpus[cpu].occupant;
  if (occupant == kNoTask) {
    enqueue(actors[idle_actor_id(cpu)]);
    policy_actor_ready();
  } else if (core.current != nullptr && occupant == core.current->id) {
    look_soon();
  }
}

void fail_irq_restore() {
  fail_at(Rule::kIrqRestoreOrder, nullptr, 0, 0,
          self().irq_depth == 0 ? "the interrupt flag is restored without a save"
                                : "the interrupt flag is restored out of order");
}

void fail_preempt_enable() {
  fail_at(Rule::kIrqRestoreOrder, nullptr, 0, 0, "preemption is enabled that was not disabled");
}

void irqs_are_on(uint64_t site) {
  irqs_turned_on(site);
  if (interrupts_wait()) {
    take_interrupts();
  }
}

namespace hal {

void irq_raise(unsigned cpu, unsigned line) {
  raise_line(cpu, line);
  point();
}

void softirq_enter() {
  Actor& a = self();
  if (a.context == ContextKind::kSoftIrq && rule_on(Rule::kIrqRestoreOrder)) {
    fail_at(Rule::kIrqRestoreOrder, nullptr, 0, 0, "soft IRQ handling is entered again");
  }
  trace(TraceKind::kSoftIrqEnter);
  a.below_softirq = enter_context(a, ContextKind::kSoftIrq, true);
  if (interrupts_wait()) {
    take_interrupts();
  }
  point();
}

void softirq_leave() {
  Actor& a = self();
  if (a.context != ContextKind::kSoftIrq && rule_on(Rule::kIrqRestoreOrder)) {
    fail_at(Rule::kIrqRestoreOrder, nullptr, 0, 0,
            "soft IRQ handling is left that was not entered");
  }
  check_left_clean(a, a.below_softirq, "a soft IRQ handler");
  trace(TraceKind::kSoftIrqLeave);
  leave_context(a, a.below_softirq);
}

} // namespace hal

} // namespace kiln::sim
