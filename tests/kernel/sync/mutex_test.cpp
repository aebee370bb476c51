// Mutexes: hand-over in order, patience, and the rules that their annotations feed.

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/rw_mutex.h"
#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

constinit clay::LockClass mutex_class{"test-mutex"};
constinit clay::LockClass other_class{"test-other"};
constinit clay::LockClass spin_class{"test-spin"};

/// Tasks that ask for something one after another, 100 ns apart, while `main` holds it.
template <typename Body> clay::Task start(const char* name, Body body) {
  auto task = clay::Task::spawn(name, body);
  KILN_CHECK(task.ok(), "no task");
  clay::sleep_for(100);
  return task.take();
}

TEST(Mutex, IsHandedToWhoeverCameFirst) {
  // The plain schedule only: others may let the clock jump ahead of the tasks.
  expect_silent_in_order([](sim::Run&) {
    clay::Mutex lock{mutex_class};
    unsigned order = 0;
    lock.lock();
    clay::Task first = start("first", [&] {
      clay::MutexGuard guard(lock);
      KILN_CHECK(order == 0, "the second was first");
      order = 1;
    });
    clay::Task second = start("second", [&] {
      clay::MutexGuard guard(lock);
      KILN_CHECK(order == 1, "the second was first");
      order = 2;
    });
    lock.unlock();
    KILN_CHECK(!lock.try_lock(), "somebody stepped in between");
    first.join();
    second.join();
    KILN_CHECK(order == 2, "%u", order);
    KILN_CHECK(lock.try_lock(), "the mutex is not free at the end");
    lock.unlock();
  });
}

TEST(Mutex, GivesUpAtTheDeadlineAndNotBefore) {
  expect_silent([](sim::Run& run) {
    run.machine.allow_spurious_wakes(true);
    clay::Mutex lock{mutex_class};
    lock.lock();
    clay::Task task = start("waits", [&] {
      const uint64_t deadline_ns = hal_clock_ns() + 500;
      if (lock.lock_until(deadline_ns)) {
        lock.unlock();
      } else {
        KILN_CHECK(hal_clock_ns() >= deadline_ns, "it gave up early");
      }
    });
    clay::sleep_for(400);
    lock.unlock();
    task.join();
    KILN_CHECK(lock.try_lock(), "the mutex is not free at the end");
    lock.unlock();
  });
}

TEST(Mutex, IsNotTakenWhereWaitingIsForbidden) {
  expect_breaks(
      [](sim::Run&) {
        clay::Mutex lock{mutex_class};
        clay::SpinLock spin{spin_class};
        clay::SpinGuard guard(spin);
        lock.lock();
      },
      sim::Rule::kLockContext);
}

TEST(Mutex, ACircleOfWaitersIsNamed) {
  expect_breaks(
      [](sim::Run& run) {
        run.machine.set_rule(sim::Rule::kLockOrder, false);
        clay::Mutex a{mutex_class};
        clay::Mutex b{other_class};
        clay::MutexGuard guard(a);
        clay::Task task = start("other", [&] {
          clay::MutexGuard first(b);
          clay::MutexGuard second(a);
        });
        b.lock();
      },
      sim::Rule::kWaitCycle);
}

TEST(RwMutex, AWriterThatWaitsHoldsUpLaterReaders) {
  expect_silent_in_order([](sim::Run&) {
    clay::RwMutex lock{mutex_class};
    bool written = false;
    lock.lock_read();
    clay::Task writer = start("writer", [&] {
      clay::WriteGuard guard(lock);
      written = true;
    });
    clay::Task reader = start("reader", [&] {
      clay::ReadGuard guard(lock);
      KILN_CHECK(written, "a later reader passed the writer");
    });
    KILN_CHECK(!lock.try_lock_read(), "a later reader passes the writer");
    lock.unlock_read();
    writer.join();
    reader.join();
  });
}

TEST(RwMutex, AWriterThatGivesUpLetsTheReadersBehindItIn) {
  expect_silent_in_order([](sim::Run&) {
    clay::RwMutex lock{mutex_class};
    bool read = false;
    lock.lock_read();
    clay::Task writer = start("writer", [&] {
      KILN_CHECK(!lock.lock_write_until(hal_clock_ns() + 1000), "a writer among readers");
    });
    clay::Task reader = start("reader", [&] {
      clay::ReadGuard guard(lock);
      read = true;
    });
    writer.join();
    clay::sleep_for(100);
    KILN_CHECK(read, "the reader still waits");
    lock.unlock_read();
    reader.join();
  });
}

TEST(RwMutex, ReadersShareAndWritersAreAlone) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    clay::RwMutex lock{mutex_class};
    unsigned readers = 0;
    unsigned writers = 0;
    auto body = [&] {
      {
        clay::WriteGuard guard(lock);
        KILN_CHECK(++writers == 1 && readers == 0, "a writer is not alone");
        clay::sleep_for(50);
        --writers;
      }
      clay::ReadGuard guard(lock);
      ++readers;
      KILN_CHECK(writers == 0, "a writer among readers");
      clay::sleep_for(50);
      --readers;
    };
    clay::Task tasks[3];
    for (auto& task : tasks) {
      task = start("task", body);
    }
    for (auto& task : tasks) {
      task.join();
    }
  });
}

} // namespace
} // namespace kiln::test
