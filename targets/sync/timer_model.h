#pragma once
// For sync/timers: one kernel timer and what may happen to it, judged without looking into it.
//
// Any task and the handlers themselves may arm and cancel it at the same time. The model counts
// armings that are under way or have been made; whatever a cancel promises it promises if none of
// them came after it began.

#include <cstdint>

#include "kernel-src/task/timer.h"
#include "sim/machine.h"

namespace kiln::sync {

/// What a handler does to its own timer, besides being checked.
enum class InHandler : uint8_t { kNothing, kArmAgain, kArmPeriodic, kCancelSelf, kPause, kLook };

/// Four timers with shorter periods keep a CPU in its timer interrupt for ever: a run takes two
/// reads of the clock, which make 40 ns.
inline constexpr unsigned kShortestPeriod = 300;

class ModelTimer {
 public:
  explicit ModelTimer(sim::Machine& machine) : machine_(machine) {}
  /// Ends the timer, cancelling it first.
  ~ModelTimer();

  void arm_at(uint64_t deadline_ns) { arm(deadline_ns, 0); }
  void arm_periodic(uint64_t first_ns, uint64_t period_ns) { arm(first_ns, period_ns); }
  void cancel();
  void try_cancel();
  void look();

  /// What the handler does the next `times` times.
  void set_handler(InHandler what, unsigned times, uint64_t delay_ns);

  /// When nothing runs but time: the last moment at which it has to fire, 0 if it need not.
  uint64_t owes_until_ns() const { return owed_ ? due_ns_ : 0; }
  /// After that moment: it has fired.
  void check_paid() const;

 private:
  /// What is known of the timer at a moment, for who asks the kernel and looks again after it.
  enum class Known : uint8_t { kNothing, kArmed, kIdle };
  Known known() const;
  unsigned events() const { return armings_ + arming_ + cancels_ + total_fires_; }

  static void fired(clay::Timer& timer, void* self);
  void arm(uint64_t deadline_ns, uint64_t period_ns);
  void enter();
  void act(clay::Timer& timer);
  void check_on_time();
  void check_period();
  void note_cancelled(unsigned armings, bool was_armed);
  void note_running(unsigned armings);

  sim::Machine& machine_;
  clay::Timer timer_{"timers", fired, this};

  unsigned armings_ = 0;    ///< begun and not refused
  unsigned arming_ = 0;     ///< calls under way
  unsigned cancelling_ = 0; ///< likewise
  unsigned cancels_ = 0;    ///< begun
  unsigned total_fires_ = 0;
  bool quiet_ = true;   ///< must not fire: never armed, or cancelled and not armed since
  unsigned inside_ = 0; ///< handlers running
  unsigned fires_ = 0;  ///< since the arming that `due_ns_` belongs to
  uint64_t earliest_ns_ = UINT64_MAX; ///< of all deadlines that may still fire
  uint64_t due_ns_ = 0;               ///< the only deadline that can be meant, when `certain_`
  uint64_t armed_ns_ = 0;             ///< when it was armed
  uint64_t period_ns_ = 0;
  uint64_t last_ns_ = 0; ///< periodic: end of the handler before
  bool certain_ = false; ///< one arming, not raced by another or by a cancel
  bool owed_ = false;    ///< certain, once, not cancelled: it has to fire

  InHandler what_ = InHandler::kNothing;
  unsigned times_ = 0;
  uint64_t delay_ns_ = 0;
};

} // namespace kiln::sync
