#include "targets/sync/lock_alone.h"

#include <string_view>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/rw_mutex.h"
#include "kernel-src/sync/rw_spin_lock.h"
#include "kernel-src/sync/seq_lock.h"
#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/task.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/sync/support.h"

namespace kiln::sync {
namespace {

sim::Probe late{"sync/locks", "a lock whose deadline is past gives up"};

constinit clay::LockClass mutex_class{"alone-mutex"};
constinit clay::LockClass rw_mutex_class{"alone-rw-mutex"};
constinit clay::LockClass spin_class{"alone-spin"};
constinit clay::LockClass irq_spin_class{"alone-irq-spin"};
constinit clay::LockClass rw_spin_class{"alone-rw-spin"};
constinit clay::LockClass irq_rw_spin_class{"alone-irq-rw-spin"};
constinit clay::LockClass seq_class{"alone-seq"};

void check_mutex() {
  clay::Mutex first{mutex_class};
  clay::Mutex second{mutex_class};
  KILN_CHECK(first.try_lock(), "a free mutex is refused");
  KILN_CHECK(!first.try_lock(), "a mutex is taken twice");
  second.lock_nested();
  KILN_CHECK(!second.try_lock(), "a mutex is taken twice");
  second.unlock();
  first.unlock();
  KILN_CHECK(first.lock_until(hal_clock_ns()), "a free mutex is refused");
  first.unlock();
  KILN_CHECK(mutex_class.name() == std::string_view("alone-mutex"),
             "a lock class has lost its name");
}

/// Whoever comes too late leaves no trace, also when the mutex is let go at that moment.
void check_late_lock(bool may_fail) {
  clay::Mutex mutex{mutex_class};
  auto holder = clay::Task::spawn("alone-holder", [&mutex] {
    for (unsigned i = 0; i < 4; ++i) {
      const clay::MutexGuard guard(mutex);
      breathe(2);
    }
  });
  KILN_CHECK(holder.ok() || may_fail, "a task could not be made");
  if (!holder.ok()) {
    return;
  }
  for (unsigned i = 0; i < 6; ++i) {
    if (mutex.lock_until(hal_clock_ns())) {
      mutex.unlock();
    } else {
      late.hit();
    }
    breathe();
  }
  holder.value().join();
  KILN_CHECK(mutex.try_lock(), "a mutex is refused that nobody has");
  mutex.unlock();
}

void check_rw_mutex() {
  clay::RwMutex lock{rw_mutex_class};
  KILN_CHECK(lock.try_lock_read(), "a free rw mutex is refused to a reader");
  KILN_CHECK(!lock.try_lock_write(), "a writer comes in beside a reader");
  lock.unlock_read();
  KILN_CHECK(lock.try_lock_write(), "a free rw mutex is refused to a writer");
  lock.unlock_write();
  {
    clay::ReadGuard guard(lock);
    KILN_CHECK(!lock.try_lock_write(), "a writer comes in beside a reader");
  }
  {
    clay::WriteGuard guard(lock);
    KILN_CHECK(!lock.try_lock_read(), "a reader comes in beside a writer");
  }
  KILN_CHECK(lock.try_lock_write(), "a guard has not let go");
  lock.unlock_write();
}

void check_spin_lock() {
  clay::SpinLock first{spin_class};
  clay::SpinLock second{spin_class};
  KILN_CHECK(first.try_lock(), "a free spin lock is refused");
  KILN_CHECK(!first.try_lock(), "a spin lock is taken twice");
  second.lock_nested();
  KILN_CHECK(!second.try_lock(), "a spin lock is taken twice");
  second.unlock();
  first.unlock();
}

void check_irq_spin_lock() {
  clay::IrqSpinLock first{irq_spin_class};
  clay::IrqSpinLock second{irq_spin_class};
  bool first_on = false;
  bool none = true;
  KILN_CHECK(first.try_lock(&first_on), "a free lock is refused");
  KILN_CHECK(first_on && !hal_irqs_on(), "a try leaves interrupts on");
  KILN_CHECK(!first.try_lock(&none), "a lock is taken twice");
  const bool second_on = second.lock_nested();
  KILN_CHECK(!second_on && !second.try_lock(&none), "a lock is taken twice");
  second.unlock(second_on);
  KILN_CHECK(!hal_irqs_on(), "an inner unlock turns interrupts on");
  first.unlock(first_on);
  KILN_CHECK(hal_irqs_on(), "an unlock leaves interrupts off");
}

/// A guard that lets go before its end does so once.
void check_irq_guard() {
  clay::IrqSpinLock lock{irq_spin_class};
  bool were_on = false;
  {
    clay::IrqSpinGuard guard(lock);
    guard.unlock();
    KILN_CHECK(hal_irqs_on() && lock.try_lock(&were_on), "a guard has not let go");
    lock.unlock(were_on);
  }
  {
    clay::IrqSpinGuard guard(lock);
    guard.unlock();
    guard.lock();
    KILN_CHECK(!hal_irqs_on() && !lock.try_lock(&were_on), "a guard has not taken its lock again");
  }
  KILN_CHECK(hal_irqs_on() && lock.try_lock(&were_on), "a guard has not let go at its end");
  lock.unlock(were_on);
}

void check_rw_spin_guards() {
  clay::RwSpinLock lock{rw_spin_class};
  clay::RwSpinLock irq_lock{irq_rw_spin_class};
  {
    clay::ReadSpinGuard guard(lock);
    clay::ReadSpinGuard again(lock);
    KILN_CHECK(hal_irqs_on(), "a reader has turned interrupts off");
  }
  {
    clay::WriteSpinGuard guard(lock);
    KILN_CHECK(hal_irqs_on(), "a writer has turned interrupts off");
  }
  {
    clay::IrqReadSpinGuard guard(irq_lock);
    KILN_CHECK(!hal_irqs_on(), "a reader has left interrupts on");
  }
  KILN_CHECK(hal_irqs_on(), "a reader leaves interrupts off");
  {
    clay::IrqWriteSpinGuard guard(irq_lock);
    KILN_CHECK(!hal_irqs_on(), "a writer has left interrupts on");
  }
  KILN_CHECK(hal_irqs_on(), "a writer leaves interrupts off");
}

void check_seq_lock() {
  struct Value {
    unsigned long a;
    unsigned long b;
  };
  clay::SeqLock<Value> lock{seq_class, Value{1, 2}};
  Value seen{};
  KILN_CHECK(lock.peek(&seen) && seen.a == 1 && seen.b == 2,
             "a sequence lock's first value is lost");
  lock.write({3, 4});
  KILN_CHECK(lock.peek(&seen) && seen.a == 3 && seen.b == 4, "what was written is not there");
  lock.update([](Value& value) { value.a += value.b; });
  seen = lock.read();
  KILN_CHECK(seen.a == 7 && seen.b == 4, "an update of a sequence lock is not there");
}

} // namespace

void check_locks_alone(bool may_fail) {
  check_mutex();
  check_late_lock(may_fail);
  check_rw_mutex();
  check_spin_lock();
  check_irq_spin_lock();
  check_irq_guard();
  check_rw_spin_guards();
  check_seq_lock();
}

} // namespace kiln::sync
