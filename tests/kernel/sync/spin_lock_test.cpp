// Spin locks: exclusion between CPUs, try, interrupts, and the rules that their annotations feed.

#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/locked.h"
#include "kernel-src/sync/permanent.h"
#include "kernel-src/sync/rw_spin_lock.h"
#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "targets/sync/support.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

constinit clay::LockClass outer_class{"test-outer"};
constinit clay::LockClass inner_class{"test-inner"};
constinit clay::LockClass irq_class{"test-irq"};
constinit clay::LockClass rw_class{"test-rw"};

/// Runs `body` on two tasks on two CPUs and waits for both.
template <typename Body> void twice(sim::Run& run, Body body) {
  run.machine.set_cpus(2);
  auto a = clay::Task::spawn("a", body, 1);
  auto b = clay::Task::spawn("b", body, 2);
  KILN_CHECK(a.ok() && b.ok(), "no tasks");
  a.take().join();
  b.take().join();
}

TEST(SpinLock, LetsOneCpuInAtATime) {
  expect_silent([](sim::Run& run) {
    clay::SpinLock lock{outer_class};
    unsigned inside = 0;
    unsigned total = 0;
    twice(run, [&] {
      for (unsigned i = 0; i < 5; ++i) {
        clay::SpinGuard guard(lock);
        KILN_CHECK(++inside == 1, "two are inside");
        sync::breathe(2);
        ++total;
        --inside;
      }
    });
    KILN_CHECK(total == 10, "%u", total);
  });
}

TEST(SpinLock, ATryFailsWhileItIsHeldAndLeavesNothingBehind) {
  expect_silent([](sim::Run& run) {
    clay::SpinLock lock{outer_class};
    twice(run, [&] {
      if (lock.try_lock()) {
        sync::breathe(2);
        lock.unlock();
      }
      clay::sleep_for(10); // would break a rule with preemption left off
    });
    KILN_CHECK(lock.try_lock(), "a free lock is not taken");
    lock.unlock();
  });
}

TEST(SpinLock, ItsHolderMayNotSleep) {
  expect_breaks(
      [](sim::Run&) {
        clay::SpinLock lock{outer_class};
        clay::SpinGuard guard(lock);
        clay::sleep_for(1);
      },
      sim::Rule::kSleepInAtomic);
}

TEST(SpinLock, IsNotTakenAgainByItsHolder) {
  expect_breaks(
      [](sim::Run&) {
        clay::SpinLock lock{outer_class};
        clay::SpinGuard guard(lock);
        lock.lock();
      },
      sim::Rule::kLockRecursion);
}

TEST(SpinLock, HasAnOrder) {
  expect_breaks(
      [](sim::Run&) {
        clay::SpinLock outer{outer_class};
        clay::SpinLock inner{inner_class};
        {
          clay::SpinGuard first(outer);
          clay::SpinGuard second(inner);
        }
        clay::SpinGuard first(inner);
        clay::SpinGuard second(outer);
      },
      sim::Rule::kLockOrder);
}

TEST(SpinLock, TwoOfAClassNeedADocumentedOrder) {
  expect_silent([](sim::Run&) {
    clay::SpinLock first{outer_class};
    clay::SpinLock second{outer_class};
    clay::SpinGuard guard(first);
    second.lock_nested();
    second.unlock();
  });
  expect_breaks(
      [](sim::Run&) {
        clay::SpinLock first{outer_class};
        clay::SpinLock second{outer_class};
        clay::SpinGuard guard(first);
        second.lock();
      },
      sim::Rule::kLockOrder);
}

TEST(SpinLock, IsNotUsedAfterItsEnd) {
  expect_breaks(
      [](sim::Run&) {
        alignas(clay::SpinLock) unsigned char memory[sizeof(clay::SpinLock)];
        auto* lock = new (memory) clay::SpinLock{outer_class};
        lock->~SpinLock();
        lock->lock();
      },
      sim::Rule::kUseDestroyed);
}

TEST(IrqSpinLock, KeepsInterruptsOffAndPutsThemBack) {
  expect_silent([](sim::Run&) {
    clay::IrqSpinLock lock{irq_class};
    clay::IrqSpinLock inner{inner_class};
    {
      clay::IrqSpinGuard guard(lock);
      KILN_CHECK(!hal_irqs_on(), "interrupts are on");
      {
        clay::IrqSpinGuard nested(inner);
      }
      KILN_CHECK(!hal_irqs_on(), "interrupts are on too early");
      guard.unlock();
      KILN_CHECK(hal_irqs_on(), "interrupts are off");
      guard.lock();
    }
    KILN_CHECK(hal_irqs_on(), "interrupts are off");
    bool were_on = false;
    KILN_CHECK(lock.try_lock(&were_on) && were_on && !hal_irqs_on(), "the try");
    lock.unlock(were_on);
  });
}

TEST(SpinLock, IsNotForDataOfInterruptHandlers) {
  expect_breaks(
      [](sim::Run& run) {
        static constinit clay::Permanent<clay::SpinLock> lock{irq_class};
        sync::Device device([](void*) { clay::SpinGuard guard(*lock); }, [](void*) {}, nullptr);
        {
          clay::SpinGuard guard(*lock);
        }
        run.machine.raise_irq(0, sync::kDeviceLine);
        sync::breathe(4);
      },
      sim::Rule::kLockIrq);
}

TEST(RwSpinLock, ReadersShareAndNestWritersDoNot) {
  expect_silent([](sim::Run& run) {
    clay::RwSpinLock lock{rw_class};
    unsigned readers = 0;
    unsigned writers = 0;
    twice(run, [&] {
      {
        clay::ReadSpinGuard guard(lock);
        ++readers;
        clay::ReadSpinGuard again(lock);
        KILN_CHECK(writers == 0, "a writer among readers");
        sync::breathe(2);
        --readers;
      }
      clay::WriteSpinGuard guard(lock);
      KILN_CHECK(++writers == 1 && readers == 0, "%u readers, %u writers", readers, writers);
      sync::breathe(2);
      --writers;
    });
  });
}

TEST(Locked, GivesItsValueOnlyUnderTheLock) {
  expect_silent([](sim::Run& run) {
    clay::SpinLocked<unsigned> count{outer_class, 5u};
    clay::RwLocked<unsigned> other{rw_class, 1u};
    twice(run, [&] {
      count.with([](unsigned& value) { ++value; });
      other.write([](unsigned& value) { ++value; });
      static_cast<void>(other.read([](const unsigned& value) { return value; }));
    });
    KILN_CHECK(count.with([](unsigned& value) { return value; }) == 7, "an update is lost");
    KILN_CHECK(other.read([](const unsigned& value) { return value; }) == 3, "an update is lost");
  });
}

} // namespace
} // namespace kiln::test
