// Shoot-downs: who forgets what, and who waits for whom. The targets have an MMU.

#include <atomic>
#include <initializer_list>
#include <utility>

#include "hal-host/tlb.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/mm/tlb_shootdown.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/task/task.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

/// Counts what CPUs forget.
struct Listener {
  unsigned by_cpu[kHalMaxCpus] = {};
  uint64_t first[kHalMaxCpus] = {};
  uint64_t last[kHalMaxCpus] = {};

  Listener() {
    hal_host::on_tlb_flush(
        [](void* self, unsigned cpu, uint64_t, uint64_t first, uint64_t last) {
          auto& me = *static_cast<Listener*>(self);
          ++me.by_cpu[cpu];
          me.first[cpu] = first;
          me.last[cpu] = last;
        },
        this);
  }
  ~Listener() { hal_host::on_tlb_flush(nullptr, nullptr); }
};

void shoot(uint64_t first, uint64_t last) {
  clay::StaleRanges stale(4096);
  stale.add(first, last);
  clay::shoot_down(stale);
}

TEST(TlbShootdown, EveryCpuHasForgottenWhenItReturns) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(4);
    Listener heard;
    shoot(8192, UINT64_MAX);
    for (unsigned cpu = 0; cpu < 4; ++cpu) {
      KILN_CHECK(heard.by_cpu[cpu] == 1 && heard.first[cpu] == 8192 &&
                     heard.last[cpu] == UINT64_MAX,
                 "cpu %u", cpu);
    }
    KILN_CHECK(heard.by_cpu[4] == 0, "a CPU that is not there");
  });
}

TEST(TlbShootdown, OfNothingAsksNobody) {
  expect_silent_in_order([](sim::Run& run) {
    run.machine.set_cpus(2);
    Listener heard;
    clay::shoot_down(clay::StaleRanges(4096));
    KILN_CHECK(heard.by_cpu[0] == 0 && heard.by_cpu[1] == 0, "somebody was asked");
  });
}

TEST(TlbShootdown, ManyRangesBecomeFewer) {
  expect_silent_in_order([](sim::Run&) {
    Listener heard;
    clay::StaleRanges stale(4096);
    for (uint64_t i = 0; i < clay::StaleRanges::kMost; ++i) {
      stale.add(i * 8192, i * 8192 + 4095);
    }
    stale.add(3 * 8192 + 100, 3 * 8192 + 5000); // overlaps the last
    stale.add(1u << 20, (1u << 20) + 4095);     // no room
    clay::shoot_down(stale);
    KILN_CHECK(heard.by_cpu[0] == clay::StaleRanges::kMost, "%u ranges", heard.by_cpu[0]);
    KILN_CHECK(heard.first[0] == 3 * 8192 && heard.last[0] == (1u << 20) + 4095, "the last");
  });
}

/// What a CPU forgets, by a request of these ranges in order.
unsigned flushes_of(std::initializer_list<std::pair<uint64_t, uint64_t>> ranges, Listener& heard) {
  heard.by_cpu[0] = 0;
  clay::StaleRanges stale(4096);
  for (const auto& [first, last] : ranges) {
    stale.add(first, last);
  }
  clay::shoot_down(stale);
  return heard.by_cpu[0];
}

TEST(TlbShootdown, RangesThatTouchBecomeOne) {
  expect_silent_in_order([](sim::Run&) {
    Listener heard;
    const auto only = [&](uint64_t first, uint64_t last) {
      return heard.first[0] == first && heard.last[0] == last;
    };
    KILN_CHECK(flushes_of({{0, 4095}, {4096, 8191}}, heard) == 1 && only(0, 8191), "above");
    KILN_CHECK(flushes_of({{4096, 8191}, {0, 4095}}, heard) == 1 && only(0, 8191), "below");
    KILN_CHECK(flushes_of({{0, 4095}, {8192, 12'287}, {4096, 8191}}, heard) == 1 && only(0, 12'287),
               "in between");
    KILN_CHECK(flushes_of({{0, 4095}, {4097, 8191}}, heard) == 2, "a byte lies between");
    KILN_CHECK(flushes_of({{4097, 8191}, {0, 4095}}, heard) == 2, "a byte lies between");
    KILN_CHECK(flushes_of({{UINT64_MAX - 4095, UINT64_MAX}, {0, 4095}}, heard) == 2 &&
                   flushes_of({{0, 4095}, {UINT64_MAX - 4095, UINT64_MAX}}, heard) == 2,
               "addresses do not go round");
    KILN_CHECK(flushes_of({{UINT64_MAX - 4095, UINT64_MAX}, {UINT64_MAX - 8191, UINT64_MAX - 4096}},
                          heard) == 1 &&
                   only(UINT64_MAX - 8191, UINT64_MAX),
               "the last page");
    KILN_CHECK(flushes_of({{0, UINT64_MAX}, {4096, 8191}, {0, 0}}, heard) == 1, "all of them");
  });
}

/// The fifth goes to the last, over what lies between.
TEST(TlbShootdown, TheLastRangeTakesInWhatLiesBetween) {
  expect_silent_in_order([](sim::Run&) {
    Listener heard;
    KILN_CHECK(
        flushes_of(
            {{16'384, 20'479}, {32'768, 36'863}, {49'152, 53'247}, {65'536, 69'631}, {0, 4095}},
            heard) == 1 &&
            heard.first[0] == 0 && heard.last[0] == 69'631,
        "%u ranges from %llx", heard.by_cpu[0], static_cast<unsigned long long>(heard.first[0]));
  });
}

/// CPUs that all ask each other with interrupts off: each must serve while it waits.
TEST(TlbShootdown, AllAtOnceWithInterruptsOff) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(3);
    Listener heard;
    clay::Task tasks[3];
    for (unsigned cpu = 0; cpu < 3; ++cpu) {
      const auto body = [](void*) {
        const bool were_on = hal_irq_save();
        shoot(4096, 8191);
        shoot(0, 4095);
        hal_irq_restore(were_on);
      };
      tasks[cpu] = clay::Task::create("shooter", body, nullptr, uint64_t{1} << cpu).take();
    }
    for (clay::Task& task : tasks) {
      task.join();
    }
    for (unsigned cpu = 0; cpu < 3; ++cpu) {
      KILN_CHECK(heard.by_cpu[cpu] == 6, "cpu %u forgot %u times", cpu, heard.by_cpu[cpu]);
    }
  });
}

constinit clay::LockClass test_class{"tlb-shootdown-test"};

/// A CPU that spins for the lock would never answer.
TEST(TlbShootdown, WithASpinLockHeldAndInterruptsOffIsABug) {
  expect_breaks(
      [](sim::Run&) {
        clay::IrqSpinLock lock(test_class);
        clay::IrqSpinGuard guard(lock);
        shoot(0, 4095);
      },
      sim::Rule::kSleepInAtomic);
}

TEST(TlbShootdown, SoItIsOfNothing) {
  expect_breaks(
      [](sim::Run&) {
        clay::IrqSpinLock lock(test_class);
        clay::IrqSpinGuard guard(lock);
        clay::shoot_down(clay::StaleRanges(4096));
      },
      sim::Rule::kSleepInAtomic);
}

} // namespace
} // namespace kiln::test
