// Taking and letting go of each kind of lock, by every way there is.

#include "targets/sync/lock_set.h"

#include "kernel-src/hal/time.h"
#include "sim/probe.h"

namespace kiln::sync {
namespace {

constexpr const char* kTarget = "sync/locks";
sim::Probe try_failed{kTarget, "a try comes while the lock is held"};
sim::Probe timed_out{kTarget, "a timed lock gives up"};
sim::Probe timed_waited{kTarget, "a timed lock is taken after a wait"};
sim::Probe handed_over{kTarget, "a mutex is taken that was held when it was asked for"};
sim::Probe spun{kTarget, "a spin lock is taken that was held when it was asked for"};
sim::Probe readers_share{kTarget, "two readers are inside at once"};
sim::Probe reader_nests{kTarget, "an interrupt reads what somebody else is reading"};
sim::Probe writer_blocks{kTarget, "a reader waits behind a writer that waits"};
sim::Probe behind{kTarget, "somebody comes behind a writer that surely waits"};

constinit clay::LockClass mutex_class[2] = {clay::LockClass{"locks-mutex-0"},
                                            clay::LockClass{"locks-mutex-2"}};
constinit clay::LockClass rw_mutex_class[2] = {clay::LockClass{"locks-rw-mutex-1"},
                                               clay::LockClass{"locks-rw-mutex-3"}};
constinit clay::LockClass spin_class[2] = {clay::LockClass{"locks-spin-4"},
                                           clay::LockClass{"locks-spin-6"}};
constinit clay::LockClass rw_spin_class{"locks-rw-spin-5"};
constinit clay::LockClass irq_spin_class[2] = {clay::LockClass{"locks-irq-spin-8"},
                                               clay::LockClass{"locks-irq-spin-9"}};
constinit clay::LockClass irq_rw_spin_class{"locks-irq-rw-spin-7"};

/// Which of the locks of its kind the one at this place is.
unsigned instance(unsigned lock) {
  unsigned before = 0;
  for (unsigned i = 0; i < lock; ++i) {
    before += kOrder[i] == kOrder[lock] ? 1 : 0;
  }
  return before;
}

} // namespace

void Cell::check_write(unsigned pauses) {
  KILN_CHECK(writers == 0 && readers == 0, "a writer is inside with %u writers and %u readers",
             writers, readers);
  ++writers;
  const unsigned before = a;
  a = before + 1;
  breathe(pauses);
  KILN_CHECK(a == before + 1 && b == before, "the data changed while its lock was held");
  b = a;
  ++writes;
  --writers;
}

void Cell::check_read(unsigned pauses) {
  KILN_CHECK(writers == 0, "a reader is inside with a writer");
  if (++readers > 1) {
    readers_share.hit();
    if (in_interrupt()) {
      reader_nests.hit();
    }
  }
  const unsigned seen = a;
  breathe(pauses);
  KILN_CHECK(a == seen && b == seen, "the data changed while it was being read");
  --readers;
}

LockSet::LockSet(sim::Machine& machine)
    : machine_(machine), mutexes_{clay::Mutex{mutex_class[0]}, clay::Mutex{mutex_class[1]}},
      rw_mutexes_{clay::RwMutex{rw_mutex_class[0]}, clay::RwMutex{rw_mutex_class[1]}},
      spins_{clay::SpinLock{spin_class[0]}, clay::SpinLock{spin_class[1]}}, rw_spin_{rw_spin_class},
      irq_spins_{clay::IrqSpinLock{irq_spin_class[0]}, clay::IrqSpinLock{irq_spin_class[1]}},
      irq_rw_spin_{irq_rw_spin_class} {}

bool LockSet::enter_mutex(clay::Mutex& lock, const Take& take) {
  const bool busy = cells_[take.lock].writers != 0;
  if (take.how == How::kTry) {
    return lock.try_lock();
  }
  if (take.how == How::kTimed) {
    const uint64_t began_ns = machine_.now();
    const uint64_t deadline_ns = hal_clock_ns() + take.patience_ns;
    if (lock.lock_until(deadline_ns)) {
      if (busy) {
        timed_waited.hit();
      }
      return true;
    }
    check_gave_up(machine_, began_ns, deadline_ns, "a timed mutex");
    timed_out.hit();
    return false;
  }
  lock.lock();
  if (busy) {
    handed_over.hit();
  }
  return true;
}

void LockSet::writer_comes(unsigned lock) { ++writers_about_[lock]; }

void LockSet::writer_goes(unsigned lock) {
  if (--writers_about_[lock] == 0) {
    open_since_ns_[lock] = machine_.now();
  }
}

/// A reader goes on as soon as no writer has the lock or waits for it.
void LockSet::read_waiting(clay::RwMutex& lock, const Take& take) {
  const uint64_t began_ns = machine_.now();
  if (writers_about_[take.lock] != 0 && cells_[take.lock].writers == 0) {
    writer_blocks.hit();
  }
  lock.lock_read();
  const uint64_t open_ns = open_since_ns_[take.lock];
  const uint64_t due_ns = open_ns > began_ns ? open_ns : began_ns;
  KILN_CHECK(writers_about_[take.lock] != 0 || machine_.idle_until() <= due_ns,
             "a reader waited for %llu ns after the last writer had gone",
             static_cast<unsigned long long>(machine_.idle_until() - due_ns));
}

/// Notes one writer at a time, for who comes behind it.
void LockSet::write_waiting(clay::RwMutex& lock, const Take& take) {
  const bool noted = !writer_waits_[take.lock];
  if (noted) {
    writer_waits_[take.lock] = true;
    ++writer_turn_[take.lock];
    writer_since_ns_[take.lock] = machine_.now();
  }
  lock.lock_write();
  if (noted) {
    writer_waits_[take.lock] = false;
  }
}

bool LockSet::enter_rw_mutex(clay::RwMutex& lock, const Take& take) {
  // In the queue for certain: the machine has idled since it asked.
  const bool behind_writer =
      writer_waits_[take.lock] && machine_.idle_until() > writer_since_ns_[take.lock];
  const unsigned turn = writer_turn_[take.lock];
  if (!take.shared) {
    writer_comes(take.lock);
  }
  const uint64_t began_ns = machine_.now();
  const uint64_t deadline_ns =
      take.how == How::kTimed ? hal_clock_ns() + take.patience_ns : kHalNever;
  bool entered = true;
  if (take.how == How::kTry) {
    entered = take.shared ? lock.try_lock_read() : lock.try_lock_write();
  } else if (take.how == How::kTimed) {
    entered = take.shared ? lock.lock_read_until(deadline_ns) : lock.lock_write_until(deadline_ns);
  } else if (take.shared) {
    read_waiting(lock, take);
  } else {
    write_waiting(lock, take);
  }
  if (behind_writer) {
    behind.hit();
    KILN_CHECK(!entered || !writer_waits_[take.lock] || writer_turn_[take.lock] != turn,
               "somebody passed a writer that waited before");
  }
  if (!entered && !take.shared) {
    writer_goes(take.lock);
  }
  if (!entered && take.how == How::kTimed) {
    check_gave_up(machine_, began_ns, deadline_ns, "a timed rw mutex");
    timed_out.hit();
  }
  return entered;
}

bool LockSet::enter(const Take& take, bool* were_on) {
  const unsigned lock = take.lock;
  const bool alone = users_[lock]++ == 0;
  const unsigned visit = ++visits_[lock];
  const bool entered = enter_any(take, were_on);
  if (!entered) {
    KILN_CHECK(!alone || visit != visits_[lock], "a lock is refused that nobody wanted meanwhile");
    --users_[lock];
  }
  return entered;
}

void LockSet::leave(const Take& take, bool were_on) {
  leave_any(take, were_on);
  --users_[take.lock];
}

bool LockSet::enter_any(const Take& take, bool* were_on) {
  const unsigned n = instance(take.lock);
  if (take.how == How::kTry && cells_[take.lock].writers != 0) {
    try_failed.hit();
  }
  const bool busy = cells_[take.lock].writers != 0;
  switch (kOrder[take.lock]) {
  case Kind::kMutex:
    return enter_mutex(mutexes_[n], take);
  case Kind::kRwMutex:
    return enter_rw_mutex(rw_mutexes_[n], take);
  case Kind::kSpin:
    if (take.how != How::kWait) {
      return spins_[n].try_lock();
    }
    spins_[n].lock();
    break;
  case Kind::kRwSpin:
    take.shared ? rw_spin_.lock_read() : rw_spin_.lock_write();
    break;
  case Kind::kIrqSpin:
    if (take.how != How::kWait) {
      return irq_spins_[n].try_lock(were_on);
    }
    *were_on = irq_spins_[n].lock();
    break;
  case Kind::kIrqRwSpin: // handlers read only, so readers may leave interrupts on
    if (take.shared) {
      irq_rw_spin_.lock_read();
    } else {
      *were_on = irq_rw_spin_.lock_write_irq();
    }
    break;
  }
  if (busy) {
    spun.hit();
  }
  return true;
}

void LockSet::leave_any(const Take& take, bool were_on) {
  const unsigned n = instance(take.lock);
  switch (kOrder[take.lock]) {
  case Kind::kMutex:
    return mutexes_[n].unlock();
  case Kind::kRwMutex:
    if (take.shared) {
      return rw_mutexes_[n].unlock_read();
    }
    rw_mutexes_[n].unlock_write();
    return writer_goes(take.lock);
  case Kind::kSpin:
    return spins_[n].unlock();
  case Kind::kRwSpin:
    return take.shared ? rw_spin_.unlock_read() : rw_spin_.unlock_write();
  case Kind::kIrqSpin:
    return irq_spins_[n].unlock(were_on);
  case Kind::kIrqRwSpin:
    return take.shared ? irq_rw_spin_.unlock_read() : irq_rw_spin_.unlock_write_irq(were_on);
  }
}

} // namespace kiln::sync
