// A network queue is filled by an interrupt handler and emptied by a task that leaves interrupts
// on.

#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/interrupts.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr unsigned kCardLine = 10;
constinit clay::LockClass queue_class{"canary-receive-queue"};

struct Card {
  clay::SpinLock lock{queue_class};
  bool enabled = false;
  uint32_t received = 0;
};

void on_interrupt(unsigned, void* argument) {
  auto& card = *static_cast<Card*>(argument);
  if (card.enabled) {
    clay::SpinGuard guard(card.lock);
    ++card.received;
  }
}

void poll(Card& card) {
  clay::SpinGuard guard(card.lock);
  card.received = 0;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Card card;
  const clay::InterruptHandler handler{on_interrupt, &card};
  KILN_CHECK(clay::connect_interrupt(kCardLine, handler).ok(), "the line is taken");
  run.machine.allow_irq(0, kCardLine);
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    if (data.below(4) == 3) {
      card.enabled = !card.enabled;
    }
    poll(card);
  }
  clay::disconnect_interrupt(kCardLine);
}

sim::Target target{{
    .name = "canary/lock-irq",
    .purpose = "Takes a spin lock with interrupts on that an interrupt handler takes.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockIrq,
}};

} // namespace
} // namespace kiln
