#include "targets/sync/timer_model.h"

#include "kernel-src/hal/time.h"
#include "sim/probe.h"
#include "targets/sync/support.h"

namespace kiln::sync {
namespace {

constexpr const char* kTarget = "sync/timers";
sim::Probe fires{kTarget, "a timer fires"};
sim::Probe fires_late{kTarget, "a timer fires some time after its deadline"};
sim::Probe periods{kTarget, "a periodic timer fires a third time"};
sim::Probe skipped{kTarget, "a periodic timer skips a period"};
sim::Probe cancelled{kTarget, "an armed timer is cancelled"};
sim::Probe cancel_runs{kTarget, "a timer is cancelled while its handler runs"};
sim::Probe cancel_waits{kTarget, "a cancel waits for the handler on another CPU"};
sim::Probe refused{kTarget, "a handler arms its timer while somebody cancels it"};
sim::Probe armed_while_running{kTarget, "a timer is armed by another CPU while its handler runs"};
sim::Probe armed_again{kTarget, "a handler arms its own timer"};
sim::Probe looked_certain{kTarget, "it is certain whether a timer is armed when somebody asks"};
sim::Probe raced{kTarget, "two arm one timer at the same time"};

} // namespace

ModelTimer::~ModelTimer() { cancel(); }

/// Certain when one arming is in force and nobody else has to do with the timer: a periodic one is
/// armed until it is cancelled, another until it fires.
ModelTimer::Known ModelTimer::known() const {
  if (!certain_ || arming_ != 0 || cancelling_ != 0) {
    return Known::kNothing;
  }
  if (period_ns_ != 0) {
    return Known::kArmed;
  }
  return fires_ != 0 ? Known::kIdle : owed_ ? Known::kArmed : Known::kNothing;
}

void ModelTimer::arm(uint64_t deadline_ns, uint64_t period_ns) {
  const bool cancelling = cancelling_ != 0;
  const unsigned cancels = cancels_;
  const bool certain = quiet_ && arming_ == 0 && cancelling_ == 0 && inside_ == 0;
  if (arming_++ != 0) {
    raced.hit();
  }
  if (inside_ != 0 && !in_interrupt()) {
    armed_while_running.hit();
  }
  ++armings_;
  const unsigned mine = armings_;
  quiet_ = false;
  earliest_ns_ = deadline_ns < earliest_ns_ ? deadline_ns : earliest_ns_;
  certain_ = certain;
  owed_ = false;
  fires_ = 0;
  due_ns_ = deadline_ns;
  period_ns_ = period_ns;
  armed_ns_ = machine_.now();
  const bool armed =
      period_ns == 0 ? timer_.arm_at(deadline_ns) : timer_.arm_periodic(deadline_ns, period_ns);
  --arming_;
  if (!armed) {
    --armings_;
    certain_ = false;
    refused.hit();
    KILN_CHECK(cancelling || cancels != cancels_, "a timer is refused and nobody cancels it");
    return;
  }
  // Fired already, or armed by another meanwhile: then nothing is owed for this one.
  owed_ = certain_ && mine == armings_ && fires_ == 0 && period_ns == 0;
}

void ModelTimer::note_cancelled(unsigned armings, bool was_armed) {
  if (was_armed) {
    cancelled.hit();
  }
  if (armings_ == armings && arming_ == 0) {
    KILN_CHECK(inside_ == 0, "a cancel came back while the handler runs");
    quiet_ = true;
    earliest_ns_ = UINT64_MAX;
  }
}

/// After a try_cancel that found the handler running: the run that is under way is the last.
void ModelTimer::note_running(unsigned armings) {
  if (inside_ != 0 && armings_ == armings && arming_ == 0) {
    quiet_ = true;
    earliest_ns_ = UINT64_MAX;
  }
}

void ModelTimer::cancel() {
  const unsigned armings = arming_ == 0 ? armings_ : UINT32_MAX;
  const Known before = known();
  certain_ = false;
  owed_ = false;
  const unsigned running = inside_;
  ++cancelling_;
  ++cancels_;
  const unsigned events_before = events();
  const bool was_armed = timer_.cancel();
  --cancelling_;
  if (before != Known::kNothing && events_before == events()) {
    KILN_CHECK(was_armed == (before == Known::kArmed), "a cancel says that a timer was %sarmed",
               was_armed ? "" : "not ");
  }
  if (running != 0) {
    cancel_waits.hit();
  }
  note_cancelled(armings, was_armed);
}

void ModelTimer::try_cancel() {
  const unsigned armings = arming_ == 0 ? armings_ : UINT32_MAX;
  const bool certainly_running = inside_ != 0 && in_interrupt();
  certain_ = false;
  owed_ = false;
  ++cancelling_;
  ++cancels_;
  const clay::Timer::Cancelled found = timer_.try_cancel();
  --cancelling_;
  if (found == clay::Timer::Cancelled::kRunning) {
    cancel_runs.hit();
    return note_running(armings);
  }
  KILN_CHECK(!certainly_running || armings != armings_ || hal_cpu_count() > 1,
             "a handler's timer is said not to run");
  note_cancelled(armings, found == clay::Timer::Cancelled::kPending);
}

void ModelTimer::look() {
  const bool quiet = quiet_;
  const unsigned armings = armings_;
  const Known before = known();
  const unsigned events_before = events();
  const bool armed = timer_.is_armed();
  if (before != Known::kNothing && events_before == events()) {
    looked_certain.hit();
    KILN_CHECK(armed == (before == Known::kArmed), "a timer is said to be %sarmed",
               armed ? "" : "not ");
  }
  KILN_CHECK(!(armed && quiet && quiet_ && armings == armings_ && arming_ == 0),
             "a timer is armed that was cancelled");
}

void ModelTimer::set_handler(InHandler what, unsigned times, uint64_t delay_ns) {
  what_ = what;
  times_ = times;
  delay_ns_ = delay_ns;
}

void ModelTimer::check_paid() const {
  KILN_CHECK(!owed_, "a timer has not fired, %llu ns after its deadline",
             static_cast<unsigned long long>(machine_.now() - due_ns_));
}

void ModelTimer::check_on_time() {
  const uint64_t now_ns = machine_.now();
  KILN_CHECK(now_ns >= earliest_ns_, "a timer fires %llu ns before its deadline",
             static_cast<unsigned long long>(earliest_ns_ - now_ns));
  if (certain_ && period_ns_ == 0) {
    const uint64_t due_ns = due_ns_ > armed_ns_ ? due_ns_ : armed_ns_;
    KILN_CHECK(machine_.idle_until() <= due_ns,
               "a timer fires %llu ns late, though the machine was idle in between",
               static_cast<unsigned long long>(machine_.idle_until() - due_ns));
    if (now_ns > due_ns + 500) {
      fires_late.hit();
    }
  }
}

/// The deadline of this firing is the first one of the row that lay ahead when the last handler had
/// ended: no sooner, and not forgotten.
void ModelTimer::check_period() {
  uint64_t due_ns = due_ns_;
  if (fires_ > 1) {
    const uint64_t whole = last_ns_ < due_ns_ ? 0 : (last_ns_ - due_ns_) / period_ns_ + 1;
    due_ns = due_ns_ + whole * period_ns_;
    if (whole > fires_ - 1) {
      skipped.hit();
    }
  }
  KILN_CHECK(machine_.now() >= due_ns, "a periodic timer fires %llu ns early",
             static_cast<unsigned long long>(due_ns - machine_.now()));
  // When the machine idled, it was until one of the row's deadlines, or before this one.
  const uint64_t now_ns = machine_.now();
  const uint64_t last_due_ns = now_ns - (now_ns - due_ns) % period_ns_;
  const uint64_t latest_ns = fires_ == 1 && due_ns < armed_ns_ ? armed_ns_ : last_due_ns;
  KILN_CHECK(machine_.idle_until() <= latest_ns, "a periodic timer has drifted by %llu ns",
             static_cast<unsigned long long>(machine_.idle_until() - latest_ns));
  if (fires_ >= 3) {
    periods.hit();
  }
}

void ModelTimer::enter() {
  fires.hit();
  KILN_CHECK(in_interrupt() && !hal_irqs_on(), "a timer's handler runs outside an interrupt");
  KILN_CHECK(!quiet_, "a timer fires that is cancelled");
  KILN_CHECK(++inside_ == 1, "a timer's handler runs twice at the same time");
  check_on_time();
  ++fires_;
  ++total_fires_;
  owed_ = false;
  if (certain_ && period_ns_ != 0) {
    check_period();
  } else if (certain_) {
    KILN_CHECK(fires_ == 1, "a timer fires twice for one arming");
  }
}

void ModelTimer::act(clay::Timer& timer) {
  breathe(2);
  if (times_ == 0) {
    return;
  }
  --times_;
  switch (what_) {
  case InHandler::kNothing:
    break;
  case InHandler::kArmAgain:
    armed_again.hit();
    arm_at(hal_clock_ns() + delay_ns_);
    break;
  case InHandler::kArmPeriodic:
    arm_periodic(hal_clock_ns() + delay_ns_, delay_ns_ + kShortestPeriod);
    break;
  case InHandler::kCancelSelf: {
    const unsigned armings = arming_ == 0 ? armings_ : UINT32_MAX;
    certain_ = false;
    ++cancels_;
    KILN_CHECK(timer.try_cancel() == clay::Timer::Cancelled::kRunning,
               "a handler is told that it does not run");
    note_running(armings);
    break;
  }
  case InHandler::kPause: // as a long handler does
    for (unsigned i = 0; i < 20; ++i) {
      static_cast<void>(hal_clock_ns());
    }
    break;
  case InHandler::kLook:
    look();
    break;
  }
}

void ModelTimer::fired(clay::Timer& timer, void* self) {
  auto& model = *static_cast<ModelTimer*>(self);
  model.enter();
  model.act(timer);
  model.last_ns_ = model.machine_.now();
  --model.inside_;
}

} // namespace kiln::sync
