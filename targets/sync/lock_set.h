#pragma once
// For sync/locks: one lock of each kind with the data it guards, and a model that knows who may be
// inside. Locks are taken in the order of their index, so that no program deadlocks; what
// interrupts and soft IRQs take comes last.

#include <cstdint>

#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/rw_mutex.h"
#include "kernel-src/sync/rw_spin_lock.h"
#include "kernel-src/sync/seq_lock.h"
#include "kernel-src/sync/spin_lock.h"
#include "targets/sync/support.h"

namespace kiln::sync {

enum class Kind : uint8_t { kMutex, kRwMutex, kSpin, kRwSpin, kIrqSpin, kIrqRwSpin };

/// Index = place in the lock order.
/// A reader of the seventh leaves interrupts on, so it comes before all that keep them off.
inline constexpr Kind kOrder[] = {Kind::kMutex,   Kind::kRwMutex, Kind::kMutex, Kind::kRwMutex,
                                  Kind::kSpin,    Kind::kRwSpin,  Kind::kSpin,  Kind::kIrqRwSpin,
                                  Kind::kIrqSpin, Kind::kIrqSpin};
inline constexpr unsigned kLocks = sizeof kOrder;
inline constexpr unsigned kFirstSpin = 4; ///< from here on the holder must not wait
inline constexpr unsigned kFirstIrq = 7;  ///< from here on interrupts and soft IRQs take them too

enum class How : uint8_t { kWait, kTry, kTimed };

/// One lock taken.
struct Take {
  uint8_t lock;
  bool shared;
  How how;
  uint16_t patience_ns; ///< kTimed
};

/// Who is inside a lock, and data that is wrong for a moment while somebody is.
struct Cell {
  unsigned writers = 0;
  unsigned readers = 0;
  unsigned a = 0;
  unsigned b = 0;
  unsigned writes = 0; ///< made under this lock, counted by the model

  void check_write(unsigned pauses);
  void check_read(unsigned pauses);
};

class LockSet {
 public:
  explicit LockSet(sim::Machine& machine);

  /// Whether it was taken; always, unless tried or timed. A try of a lock that nobody has anything
  /// to do with must succeed.
  bool enter(const Take& take, bool* were_on);
  void leave(const Take& take, bool were_on);
  Cell& cell(unsigned lock) { return cells_[lock]; }

 private:
  bool enter_any(const Take& take, bool* were_on);
  void leave_any(const Take& take, bool were_on);
  bool enter_mutex(clay::Mutex& lock, const Take& take);
  bool enter_rw_mutex(clay::RwMutex& lock, const Take& take);
  void read_waiting(clay::RwMutex& lock, const Take& take);
  void write_waiting(clay::RwMutex& lock, const Take& take);
  void writer_comes(unsigned lock);
  void writer_goes(unsigned lock);

  sim::Machine& machine_;
  clay::Mutex mutexes_[2];
  clay::RwMutex rw_mutexes_[2];
  clay::SpinLock spins_[2];
  clay::RwSpinLock rw_spin_;
  clay::IrqSpinLock irq_spins_[2];
  clay::RwSpinLock irq_rw_spin_;
  Cell cells_[kLocks];
  unsigned users_[kLocks] = {};         ///< have it, or are on their way in or out
  unsigned visits_[kLocks] = {};        ///< users so far
  unsigned writers_about_[kLocks] = {}; ///< of rw mutexes: have it, or have asked for it
  uint64_t open_since_ns_[kLocks] = {}; ///< when the last of them went
  bool writer_waits_[kLocks] = {};      ///< one of them, without a deadline: it has not come back
  unsigned writer_turn_[kLocks] = {};   ///< counts those
  uint64_t writer_since_ns_[kLocks] = {};
};

} // namespace kiln::sync
