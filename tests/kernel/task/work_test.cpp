// Work queues, delayed work, soft IRQs, calls between CPUs and interrupt lines.

#include "kernel-src/hal/time.h"
#include "kernel-src/task/cross_call.h"
#include "kernel-src/task/delayed_work.h"
#include "kernel-src/task/sleep.h"
#include "targets/sync/support.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

struct Order {
  unsigned next = 0;
};

TEST(WorkQueue, RunsItemsInTheOrderOfQueueing) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    struct Item {
      Order* order;
      unsigned number;
    };
    Order order;
    Item items[3] = {{&order, 0}, {&order, 1}, {&order, 2}};
    auto handler = [](clay::Work&, void* arg) {
      auto& item = *static_cast<Item*>(arg);
      KILN_CHECK(item.order->next++ == item.number, "out of order");
    };
    clay::Work work[3] = {{clay::system_work(), "0", handler, &items[0]},
                          {clay::system_work(), "1", handler, &items[1]},
                          {clay::system_work(), "2", handler, &items[2]}};
    for (auto& w : work) {
      w.queue();
    }
    work[2].flush();
    KILN_CHECK(order.next == 3, "%u ran", order.next);
    clay::system_work().drain();
  });
}

TEST(WorkQueue, AHandlerMayEndItsOwnItem) {
  expect_silent([](sim::Run&) {
    static bool ended;
    ended = false;
    auto* work = new clay::Work(
        clay::system_work(), "own",
        [](clay::Work& w, void*) {
          delete &w;
          ended = true;
        },
        nullptr);
    work->queue();
    clay::system_work().drain();
    KILN_CHECK(ended, "it did not run");
  });
}

TEST(WorkQueue, AHandlerThatFlushesItselfIsNamed) {
  expect_breaks(
      [](sim::Run&) {
        clay::Work work{clay::system_work(), "self", [](clay::Work& w, void*) { w.flush(); },
                        nullptr};
        work.queue();
        work.flush();
      },
      sim::Rule::kSelfJoin);
}

TEST(WorkQueue, OneOfItsOwnIsStoppedAndRefusesItems) {
  expect_silent([](sim::Run&) {
    clay::WorkQueue queue{"own"};
    KILN_CHECK(queue.start().ok(), "not started");
    unsigned runs = 0;
    clay::Work work{queue, "work", [](clay::Work&, void* arg) { ++*static_cast<unsigned*>(arg); },
                    &runs};
    KILN_CHECK(work.queue(), "refused");
    queue.stop();
    KILN_CHECK(runs == 1 && !work.queue(), "%u runs", runs);
  });
}

TEST(DelayedWork, RunsAfterItsDeadlineUnlessCancelled) {
  expect_silent([](sim::Run&) {
    uint64_t ran_ns = 0;
    clay::DelayedWork work{
        clay::system_work(), "later",
        [](clay::Work&, void* arg) { *static_cast<uint64_t*>(arg) = hal_clock_ns(); }, &ran_ns};
    const uint64_t deadline_ns = hal_clock_ns() + 500;
    work.queue_at(deadline_ns);
    while (ran_ns == 0) {
      clay::sleep_for(200);
    }
    KILN_CHECK(ran_ns >= deadline_ns, "too early");
    work.queue_at(hal_clock_ns() + 1'000'000);
    work.cancel_sync();
    ran_ns = 0;
    clay::sleep_for(2'000'000);
    KILN_CHECK(ran_ns == 0, "it ran after it was cancelled");
    work.queue_now();
    work.cancel_sync();
  });
}

TEST(SoftIrq, ThatKeepsComingBackIsHandedToATask) {
  expect_silent([](sim::Run&) {
    unsigned left = 20;
    sync::Device device([](void*) {},
                        [](void* arg) {
                          auto& still = *static_cast<unsigned*>(arg);
                          if (still != 0) {
                            --still;
                            clay::raise_soft_irq(sync::kDeviceSoftIrq);
                          }
                        },
                        &left);
    clay::raise_soft_irq(sync::kDeviceSoftIrq);
    while (left != 0) {
      clay::sleep_for(10);
    }
    KILN_CHECK(clay::soft_irq_hand_overs() > 0, "never handed over");
  });
}

TEST(CrossCall, RunsThereAndNowhereElse) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(3);
    for (unsigned cpu = 0; cpu < 3; ++cpu) {
      unsigned ran_on = 99;
      KILN_CHECK(clay::run_on_cpu(
                     cpu, [](void* arg) { *static_cast<unsigned*>(arg) = hal_cpu_id(); }, &ran_on)
                     .ok(),
                 "refused");
      KILN_CHECK(ran_on == cpu, "on %u, not on %u", ran_on, cpu);
    }
    KILN_CHECK(clay::run_on_cpu(
                   3, [](void*) {}, nullptr)
                   .failed_with(clay::Error::kNoDevice),
               "a CPU that is not there");
  });
}

TEST(Interrupts, StrayOnesAreCounted) {
  expect_silent([](sim::Run& run) {
    const uint32_t before = clay::stray_interrupts();
    run.machine.raise_irq(0, 20);
    sync::breathe(4);
    KILN_CHECK(clay::stray_interrupts() == before + 1, "not counted");
    const clay::InterruptHandler none{[](unsigned, void*) {}, nullptr};
    KILN_CHECK(clay::connect_interrupt(32, none).failed_with(clay::Error::kOutOfRange), "line 32");
  });
}

} // namespace
} // namespace kiln::test
