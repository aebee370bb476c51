#include "kernel-src/task/soft_irq.h"

#include <atomic>
#include <bit>
#include <utility>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/hal/task.h"
#include "kernel-src/sync/permanent.h"
#include "kernel-src/task/handler_slot.h"
#include "kernel-src/task/per_cpu.h"

namespace clay {
namespace {

constexpr unsigned kVectors = static_cast<unsigned>(SoftIrq::kCount);
/// Rounds in a row before the rest goes to a task.
constexpr unsigned kMostRounds = 4;

/// Touched by its own CPU only, with interrupts off.
struct State {
  uint32_t pending = 0;     ///< bit n: vector n
  bool running = false;     ///< handlers run
  bool handed_over = false; ///< a task of this CPU runs what is pending
};

constinit HandlerSlot<SoftIrqHandler> slots[kVectors];

constinit Permanent<PerCpu<State>> states;
constinit std::atomic<uint32_t> hand_overs{0};

HandlerSlot<SoftIrqHandler>& slot_of(SoftIrq vector) {
  return slots[static_cast<unsigned>(vector)];
}

/// At least one.
void run_handlers(uint32_t vectors) {
  do {
    const unsigned vector = static_cast<unsigned>(std::countr_zero(vectors));
    vectors &= vectors - 1;
    slots[vector].call([](const SoftIrqHandler& handler) { handler.run(handler.arg); });
  } while (vectors != 0);
}

/// Interrupts are off here and on in the handlers.
void run_rounds(State& state) {
  state.running = true;
  hal_preempt_disable();
  for (unsigned round = 0; round < kMostRounds && state.pending != 0; ++round) {
    const uint32_t vectors = std::exchange(state.pending, 0);
    hal_softirq_enter();
    run_handlers(vectors);
    hal_softirq_leave();
  }
  hal_preempt_enable();
  state.running = false;
}

/// Body of the task that runs the rest, on the CPU whose rest it is; ends when there is none.
void run_rest(void*) {
  for (;;) {
    const bool were_on = hal_irq_save();
    State& state = states->here();
    if (state.pending == 0) {
      state.handed_over = false;
      hal_irq_restore(were_on);
      return;
    }
    run_rounds(state);
    hal_irq_restore(were_on);
    hal_yield();
  }
}

void hand_over(State& state) {
  const unsigned cpu = hal_cpu_id();
  HalTask* task = hal_task_create("soft-irq", run_rest, nullptr, uint64_t{1} << cpu);
  if (task == nullptr) {
    hal_irq_raise(cpu, kHalIpiIrq); // no room for a task: another interrupt has to do
    return;
  }
  state.handed_over = true;
  hand_overs.fetch_add(1, std::memory_order_relaxed);
  hal_task_release(task);
}

} // namespace

Result<> connect_soft_irq(SoftIrq vector, const SoftIrqHandler& handler) {
  return slot_of(vector).connect(handler);
}

void wait_disconnect_soft_irq(SoftIrq vector) { slot_of(vector).disconnect(); }

uint32_t soft_irq_hand_overs() { return hand_overs.load(std::memory_order_relaxed); }

void raise_soft_irq(SoftIrq vector) {
  const bool were_on = hal_irq_save();
  State& state = states->here();
  state.pending |= uint32_t{1} << static_cast<unsigned>(vector);
  // In a handler of either kind somebody looks at `pending` when it ends.
  if (hal_context() == kHalTask && !state.handed_over) {
    hal_irq_raise(hal_cpu_id(), kHalIpiIrq);
  }
  hal_irq_restore(were_on);
}

void run_pending_soft_irqs() {
  State& state = states->here();
  if (state.pending == 0 || state.running || state.handed_over) {
    return;
  }
  run_rounds(state);
  if (state.pending != 0) {
    hand_over(state);
  }
}

} // namespace clay
