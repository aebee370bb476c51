// The example of docs/write-a-target.md: a driver whose interrupt handler puts letters into a ring
// and whose task takes them out. Checks: every letter comes out once and in order, or is counted as
// dropped; the reader is not left waiting.

#include "kernel-src/lib/ring.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln {
namespace {

sim::Probe was_full{"example/mailbox", "a letter finds the ring full"};
sim::Probe was_empty{"example/mailbox", "the reader finds the ring empty"};

constinit clay::LockClass mailbox_class{"example.mailbox"};

/// The driver. In a kernel it would have a file of its own.
class Mailbox {
 public:
  void put(uint32_t letter) { // in the interrupt handler
    {
      clay::IrqSpinGuard guard(lock_);
      if (!letters_.push(letter).ok()) ++dropped_;
    }
    arrived_.signal();
  }
  uint32_t get() { // in a task
    for (;;) {
      {
        clay::IrqSpinGuard guard(lock_);
        if (auto letter = letters_.pop(); letter.ok()) return letter.take();
      }
      was_empty.hit();
      arrived_.wait(); // nothing may be held here: a rule of the machine
    }
  }
  bool full() const { return letters_.full(); }
  uint32_t dropped() const { return dropped_; }

 private:
  clay::IrqSpinLock lock_{mailbox_class};
  clay::Event arrived_{"letter arrived"};
  clay::Ring<uint32_t, 4> letters_;
  uint32_t dropped_ = 0;
};

void run(sim::Run& run) {
  constexpr unsigned kLine = 9;
  constexpr uint32_t kEnd = 0;
  struct World {
    Mailbox mailbox;
    uint32_t sent = 0, most = 0, received = 0;
  } world;
  auto data = run.tape.data();
  world.most = static_cast<uint32_t>(data.between(1, 12));
  run.machine.set_cpus(static_cast<unsigned>(data.between(1, 2)));

  clay::InterruptHandler handler{[](unsigned, void* arg) {
                                   auto& w = *static_cast<World*>(arg);
                                   if (w.sent == w.most) return;
                                   if (w.mailbox.full()) was_full.hit();
                                   w.mailbox.put(++w.sent);
                                 },
                                 &world};
  KILN_CHECK(clay::connect_interrupt(kLine, handler).ok(), "the line is taken");
  // The device's line goes to one CPU: two handlers at once could pass each other.
  auto cpu = static_cast<unsigned>(data.below(run.machine.cpus()));
  run.machine.allow_irq(cpu, kLine);

  auto reader = clay::Task::spawn("reader", [&world] {
    for (uint32_t last = 0;;) {
      uint32_t letter = world.mailbox.get();
      if (letter == kEnd) return;
      KILN_CHECK(letter > last, "letter %u came after letter %u", letter, last);
      last = letter;
      ++world.received;
    }
  });
  KILN_CHECK(reader.ok(), "no memory for a task");
  while (world.sent < world.most) {
    sim::Span span(run.tape, "letter");
    run.machine.raise_irq(cpu, kLine);
    clay::sleep_for(1 + data.below(2000));
  }
  clay::disconnect_interrupt(kLine);
  uint32_t dropped = world.mailbox.dropped();
  while (world.mailbox.full())
    clay::sleep_for(1000);
  world.mailbox.put(kEnd);
  reader.value().join();
  KILN_CHECK(world.received + dropped == world.sent, "of %u letters %u came and %u were dropped",
             world.sent, world.received, dropped);
  run.machine.digest(world.received);
}

sim::Target target{{
    .name = "example/mailbox",
    .purpose = "A ring between an interrupt and a task: the example of docs/write-a-target.md.",
    .run = run,
    .gate_inputs = 5'000,
    .longest_tape = 512,
    .tags = "example",
}};

} // namespace
} // namespace kiln
