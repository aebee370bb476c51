#include <vector>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/soft_irq.h"
#include "kernel-src/task/task.h"
#include "sim/probe.h"
#include "targets/sync/work_alone.h"

namespace kiln::sync {
namespace {

sim::Probe without_task{"sync/work", "soft IRQs go on though there is no room for a task"};

/// The first vector: nobody else in this target has it.
constexpr auto kVector = clay::SoftIrq::kBlock;

struct Raiser {
  unsigned runs = 0;
  unsigned again = 0; ///< times that the handler raises the vector

  static void run(void* arg) {
    auto& self = *static_cast<Raiser*>(arg);
    ++self.runs;
    if (self.again != 0) {
      --self.again;
      clay::raise_soft_irq(kVector);
    }
  }
};

/// Whether everybody else has got as far as he can: so no task runs soft IRQs of before.
bool comes_to_rest(sim::Machine& machine) {
  for (unsigned i = 0; i < 20; ++i) {
    const uint64_t began_ns = machine.now();
    clay::sleep_for(1000);
    if (machine.idle_until() > began_ns) {
      return true;
    }
  }
  return false;
}

/// Time for all that is on the way, as long as the machine does not come to idle.
void settle(sim::Machine& machine, const Raiser& raiser, unsigned runs) {
  for (unsigned i = 0; i < 20 && raiser.runs != runs; ++i) {
    const uint64_t began_ns = machine.now();
    clay::sleep_for(1000);
    KILN_CHECK(raiser.runs == runs || machine.idle_until() <= began_ns,
               "a soft IRQ that was raised %u times has run %u times", runs, raiser.runs);
  }
}

/// A few come at the end of the interrupt, a long row goes to one task; to none if there is no
/// room.
void check_hand_over(sim::Machine& machine, bool room) {
  constexpr unsigned kMany = 40;
  Raiser raiser;
  raiser.again = kMany - 1;
  const clay::SoftIrqHandler handler{Raiser::run, &raiser};
  KILN_CHECK(clay::connect_soft_irq(kVector, handler).ok(), "a free vector is refused");
  const uint32_t before = clay::soft_irq_hand_overs();
  clay::raise_soft_irq(kVector);
  settle(machine, raiser, kMany);
  clay::disconnect_soft_irq(kVector);
  if (raiser.runs == kMany) {
    const uint32_t hand_overs = clay::soft_irq_hand_overs() - before;
    KILN_CHECK(hand_overs == (room ? 1u : 0u), "a row of soft IRQs was handed over %u times",
               hand_overs);
  }
}

/// With as many tasks as there can be.
void check_without_room(sim::Machine& machine) {
  clay::SharedEvent go{"alone-go"};
  std::vector<clay::Task> tasks;
  machine.fail_allocation(UINT64_MAX); // nothing else is to be missing
  bool full = !comes_to_rest(machine); // whoever ends later makes room again
  while (!full) {
    auto task = clay::Task::spawn("alone-filler", [&go] { go.wait(); });
    full = !task.ok();
    if (!full) {
      tasks.push_back(task.take());
    }
  }
  if (comes_to_rest(machine) && tasks.size() > 20) {
    without_task.hit();
    check_hand_over(machine, false);
  }
  go.signal();
  for (clay::Task& task : tasks) {
    task.join();
  }
}

void check_soft_irq() {
  Raiser raiser;
  const clay::SoftIrqHandler handler{Raiser::run, &raiser};
  KILN_CHECK(clay::connect_soft_irq(kVector, handler).ok(), "a free vector is refused");
  KILN_CHECK(clay::connect_soft_irq(kVector, handler).failed_with(clay::Error::kBusy),
             "a vector is connected twice");
  const bool were_on = hal_irq_save();
  clay::raise_soft_irq(kVector);
  clay::raise_soft_irq(kVector);
  KILN_CHECK(raiser.runs == 0, "a soft IRQ runs while interrupts are off");
  hal_irq_restore(were_on);
  KILN_CHECK(raiser.runs == 1, "a soft IRQ does not run at the end of the next interrupt");
  clay::disconnect_soft_irq(kVector);
  clay::raise_soft_irq(kVector);
  KILN_CHECK(raiser.runs == 1, "a soft IRQ runs that is disconnected");
}

/// One that raises its vector once more has its second round there.
void check_second_round() {
  Raiser raiser;
  raiser.again = 1;
  const clay::SoftIrqHandler handler{Raiser::run, &raiser};
  KILN_CHECK(clay::connect_soft_irq(kVector, handler).ok(), "a free vector is refused");
  const uint32_t before = clay::soft_irq_hand_overs();
  clay::raise_soft_irq(kVector);
  const uint32_t hand_overs = clay::soft_irq_hand_overs() - before;
  KILN_CHECK(raiser.runs == 2 && hand_overs == 0,
             "of two rounds of a soft IRQ %u ran at once, and %u went to a task", raiser.runs,
             hand_overs);
  clay::disconnect_soft_irq(kVector);
}

void check_lines() {
  const clay::InterruptHandler handler{[](unsigned, void*) {}, nullptr};
  KILN_CHECK(clay::connect_interrupt(kHalIrqLines, handler).failed_with(clay::Error::kOutOfRange),
             "a line is connected that there is not");
  KILN_CHECK(clay::connect_interrupt(kHalIrqLines - 1, handler).ok(), "the last line is refused");
  clay::disconnect_interrupt(kHalIrqLines - 1);
}

} // namespace

void check_irqs_alone(sim::Machine& machine, bool full) {
  if (comes_to_rest(machine)) {
    check_soft_irq();
    check_second_round();
    check_hand_over(machine, true);
    if (full) {
      check_without_room(machine);
    }
  }
  check_lines();
}

} // namespace kiln::sync
