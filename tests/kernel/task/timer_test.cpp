// Timers and sleep.

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/timer.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

/// Notes when it fires.
struct Log {
  uint64_t at_ns[16] = {};
  unsigned count = 0;
  unsigned last_number = 0;
};

void note(clay::Timer&, void* arg) {
  auto& log = *static_cast<Log*>(arg);
  if (log.count < 16) {
    log.at_ns[log.count] = hal_clock_ns();
  }
  ++log.count;
}

TEST(Timer, FiresOnceAtItsDeadline) {
  expect_silent([](sim::Run&) {
    Log log;
    clay::Timer timer{"timer", note, &log};
    const uint64_t deadline_ns = hal_clock_ns() + 1000;
    KILN_CHECK(timer.arm_at(deadline_ns), "not armed");
    while (log.count == 0) {
      clay::sleep_for(300);
    }
    KILN_CHECK(log.count == 1 && log.at_ns[0] >= deadline_ns && !timer.is_armed(), "early");
  });
}

TEST(Timer, KeepsItsPeriodWhenNothingElseHappens) {
  expect_silent_in_order([](sim::Run&) {
    Log log;
    clay::Timer timer{"timer", note, &log};
    const uint64_t first_ns = hal_clock_ns() + 1000;
    timer.arm_periodic(first_ns, 1000);
    clay::sleep_until(first_ns + 3500);
    KILN_CHECK(timer.cancel(), "a periodic timer was not armed");
    KILN_CHECK(log.count == 4, "%u periods of 4", log.count);
    for (uint64_t i = 0; i < 4; ++i) {
      KILN_CHECK(log.at_ns[i] - first_ns - 1000 * i < 200, "period %llu is late",
                 static_cast<unsigned long long>(i));
    }
  });
}

TEST(Timer, SkipsPeriodsThatHaveGoneBy) {
  expect_silent_in_order([](sim::Run&) {
    Log log;
    clay::Timer timer{"timer", note, &log};
    const uint64_t first_ns = hal_clock_ns() + 1000;
    timer.arm_periodic(first_ns, 1000);
    const bool were_on = hal_irq_save();
    while (hal_clock_ns() < first_ns + 10'200) {
    }
    hal_irq_restore(were_on);
    KILN_CHECK(log.count == 1, "%u runs to catch up", log.count);
    timer.cancel();
  });
}

TEST(Timer, FiresInOrderOfDeadlines) {
  // The plain schedule only: in others the clock may pass deadlines before all are armed.
  expect_silent_in_order([](sim::Run&) {
    struct Ordered {
      Log* log;
      unsigned number;
    };
    Log log;
    Ordered ordered[3] = {{&log, 2}, {&log, 3}, {&log, 1}};
    auto handler = [](clay::Timer&, void* arg) {
      auto& mine = *static_cast<Ordered*>(arg);
      KILN_CHECK(mine.number == mine.log->last_number + 1, "timer %u after %u", mine.number,
                 mine.log->last_number);
      mine.log->last_number = mine.number;
    };
    clay::Timer timers[3] = {{"second", handler, &ordered[0]},
                             {"third", handler, &ordered[1]},
                             {"first", handler, &ordered[2]}};
    const uint64_t now_ns = hal_clock_ns();
    timers[0].arm_at(now_ns + 2000);
    timers[1].arm_at(now_ns + 2000);
    timers[2].arm_at(now_ns + 1000);
    while (log.last_number != 3) {
      clay::sleep_for(500);
    }
  });
}

TEST(Timer, AHandlerMayEndItsOwnTimer) {
  expect_silent([](sim::Run&) {
    static bool ended;
    ended = false;
    auto* timer = new clay::Timer(
        "own",
        [](clay::Timer& t, void*) {
          delete &t;
          ended = true;
        },
        nullptr);
    timer->arm_at(hal_clock_ns() + 100);
    while (!ended) {
      clay::sleep_for(100);
    }
  });
}

TEST(Timer, LeftArmedIsFound) {
  expect_breaks(
      [](sim::Run&) {
        alignas(clay::Timer) static unsigned char memory[sizeof(clay::Timer)];
        auto* timer = new (memory) clay::Timer("left", [](clay::Timer&, void*) {}, nullptr);
        timer->arm_at(UINT64_MAX - 1);
      },
      sim::Rule::kLeakTimer);
}

TEST(Timer, EndedWhileArmedIsABug) {
  expect_breaks(
      [](sim::Run&) {
        clay::Timer timer{"armed", [](clay::Timer&, void*) {}, nullptr};
        timer.arm_at(hal_clock_ns() + 1'000'000);
      },
      sim::Rule::kPanic);
}

TEST(Timer, CancelMayNotBeCalledWhereWaitingIsForbidden) {
  expect_breaks(
      [](sim::Run&) {
        clay::Timer timer{"timer", [](clay::Timer&, void*) {}, nullptr};
        const bool were_on = hal_irq_save();
        timer.cancel();
        hal_irq_restore(were_on);
      },
      sim::Rule::kSleepInAtomic);
}

TEST(Sleep, LastsUntilItsDeadlineDespiteWakeUps) {
  expect_silent([](sim::Run& run) {
    run.machine.allow_spurious_wakes(true);
    hal_unpark(hal_task_current()); // a permit left over from something else
    const uint64_t deadline_ns = clay::deadline_after(500);
    clay::sleep_until(deadline_ns);
    KILN_CHECK(hal_clock_ns() >= deadline_ns, "too short");
    KILN_CHECK(clay::deadline_after(UINT64_MAX) == UINT64_MAX, "a deadline wrapped");
  });
}

} // namespace
} // namespace kiln::test
