#include "kernel-src/mm/tlb_shootdown.h"

#include <atomic>
#include <bit>
#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/sync/permanent.h"
#include "kernel-src/sync/spin_word.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/per_cpu.h"

namespace clay {
namespace {

struct Mailbox {
  /// Bit n: CPU n asks this one. Bit kAnswers + n: CPU n owes this one an answer.
  std::atomic<uint32_t> word{0};
  /// What this CPU asks the others to forget; theirs to read while they owe an answer.
  const StaleRanges* stale = nullptr;
};

constexpr unsigned kAnswers = 16;
constexpr uint32_t kAskers = (uint32_t{1} << kAnswers) - 1;
static_assert(kHalMaxCpus <= kAnswers);

constexpr uint32_t bit_of(unsigned cpu) { return uint32_t{1} << cpu; }

constinit Permanent<PerCpu<Mailbox>> mailboxes;

/// Does what a CPU asks this one for.
void serve_one(unsigned asker, unsigned self) {
  Mailbox& theirs = mailboxes->on(asker);
  theirs.stale->forget_here();
  // Release: the answer comes after the last look at what is asked.
  theirs.word.fetch_and(~(bit_of(self) << kAnswers), std::memory_order_release);
}

/// All that this CPU is asked for now. Interrupts are off.
void serve(unsigned self) {
  // Acquire pairs with the release in ask(): the request is there to be read.
  uint32_t askers =
      mailboxes->on(self).word.fetch_and(~kAskers, std::memory_order_acquire) & kAskers;
  while (askers != 0) {
    serve_one(static_cast<unsigned>(std::countr_zero(askers)), self);
    askers &= askers - 1;
  }
}

void on_interrupt(unsigned, void*) { serve(hal_cpu_id()); }

/// Every other CPU, and notes that it owes an answer.
void ask_others(unsigned self) {
  const uint32_t others = (bit_of(hal_cpu_count()) - 1) & ~bit_of(self);
  mailboxes->on(self).word.fetch_or(others << kAnswers, std::memory_order_relaxed);
  for (uint32_t left = others; left != 0; left &= left - 1) {
    const auto cpu = static_cast<unsigned>(std::countr_zero(left));
    mailboxes->on(cpu).word.fetch_or(bit_of(self), std::memory_order_release);
    hal_irq_raise(cpu, kHalTlbIrq); // after the bit: the interrupt finds it
  }
}

/// Until nobody owes an answer. Serves others meanwhile: they may wait for this CPU.
void await_answers(unsigned self) {
  const std::atomic<uint32_t>& word = mailboxes->on(self).word;
  // Acquire pairs with the answers: whoever gave one is done with the request.
  for (uint32_t seen = word.load(std::memory_order_acquire); (seen & ~kAskers) != 0;
       seen = word.load(std::memory_order_acquire)) {
    if ((seen & kAskers) != 0) {
      serve(self);
    } else {
      spin_relax(word, seen);
    }
  }
}

} // namespace

void shoot_down(const StaleRanges& stale) {
  hal_waits_for_cpus("TLB shoot-down"); // whether or not there is something this time
  if (stale.empty()) {
    return;
  }
  const bool were_on = hal_irq_save(); // from here on this CPU, and no second request of it
  const unsigned self = hal_cpu_id();
  mailboxes->on(self).stale = &stale;
  ask_others(self);
  stale.forget_here();
  await_answers(self);
  mailboxes->on(self).stale = nullptr;
  hal_irq_restore(were_on);
}

void boot_tlb_shootdown() {
  static constexpr InterruptHandler handler{on_interrupt, nullptr};
  const Result<> connected = connect_interrupt(kHalTlbIrq, handler);
  CLAY_ASSERT(connected.ok());
}

} // namespace clay
