#include "targets/sync/timer_alone.h"

#include <string_view>

#include "kernel-src/hal/time.h"
#include "kernel-src/task/cross_call.h"
#include "kernel-src/task/heap.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/timer.h"
#include "sim/probe.h"
#include "targets/sync/support.h"

namespace kiln::sync {
namespace {

sim::Probe in_step{"sync/timers", "a periodic timer alone fires once a period"};

using Cancelled = clay::Timer::Cancelled;
constexpr uint64_t kFar = kHalNever; // any other may come at once: the clock jumps

void count(clay::Timer&, void* fires) { ++*static_cast<unsigned*>(fires); }

void check_answers() {
  unsigned fires = 0;
  clay::Timer timer{"alone", count, &fires};
  KILN_CHECK(timer.name() == std::string_view("alone"), "a timer has lost its name");
  KILN_CHECK(!timer.is_armed() && !timer.cancel() && timer.try_cancel() == Cancelled::kIdle,
             "a timer is armed that nobody armed");
  KILN_CHECK(timer.arm_at(kFar) && timer.is_armed(), "a timer is not armed");
  KILN_CHECK(timer.arm_at(kFar) && timer.is_armed(), "a timer is not armed anew");
  KILN_CHECK(timer.try_cancel() == Cancelled::kPending && !timer.is_armed(),
             "a timer that is armed is not found so by a cancel");
  KILN_CHECK(timer.arm_periodic(kFar, 1) && timer.is_armed(), "a periodic timer is not armed");
  KILN_CHECK(timer.cancel() && !timer.is_armed() && !timer.cancel(),
             "a periodic timer is not cancelled, or twice");
  KILN_CHECK(timer.arm_at(kFar), "a timer is refused after its cancel");
  KILN_CHECK(timer.cancel() && fires == 0, "a timer fires long before its deadline");
}

/// With one CPU its handler is over when a task runs: then the next deadline of the row is certain.
void check_row(sim::Machine& machine) {
  constexpr uint64_t kPeriod = 1000;
  unsigned fires = 0;
  clay::Timer timer{"alone-row", count, &fires};
  const uint64_t first_ns = hal_clock_ns() + kPeriod;
  KILN_CHECK(timer.arm_periodic(first_ns, kPeriod), "a periodic timer is refused");
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned fires_before = fires;
    const uint64_t now_ns = machine.now();
    const uint64_t next_ns =
        now_ns < first_ns ? first_ns : now_ns + kPeriod - (now_ns - first_ns) % kPeriod;
    clay::sleep_until(next_ns + kPeriod / 2);
    const bool idled = machine.idle_until() > next_ns;
    KILN_CHECK(fires != fires_before || !idled, "a periodic timer has missed a period");
    if (idled && fires == fires_before + 1) {
      in_step.hit();
    }
  }
  KILN_CHECK(timer.cancel(), "a periodic timer is not armed after %u runs", fires);
}

/// A timer whose handler ends it: nothing of it may be touched then.
void check_ends_itself(sim::Machine& machine) {
  struct Once {
    explicit Once(unsigned& r) : runs(r) {}
    unsigned& runs;
    clay::Timer timer{"alone-once",
                      [](clay::Timer&, void* arg) {
                        auto* self = static_cast<Once*>(arg);
                        ++self->runs;
                        clay::heap_delete(self);
                      },
                      this};
  };
  unsigned runs = 0;
  auto* once = clay::heap_new<Once>(kHalAllocMayWait, runs);
  if (once == nullptr) {
    return;
  }
  const uint64_t due_ns = hal_clock_ns();
  KILN_CHECK(once->timer.arm_at(due_ns), "a timer is refused");
  while (runs == 0) {
    clay::sleep_for(200);
    KILN_CHECK(runs == 1 || machine.idle_until() <= due_ns, "a timer does not fire");
  }
}

/// A handler arms its timer while a cancel may be under way on another CPU: it is armed and the
/// cancel finds it so, or it is refused.
void check_refused() {
  struct Arms {
    unsigned runs = 0;
    bool armed = false;
    clay::Timer timer{"alone-arms",
                      [](clay::Timer& timer, void* arg) {
                        auto& self = *static_cast<Arms*>(arg);
                        breathe(8);
                        self.armed = timer.arm_at(kFar);
                        ++self.runs;
                      },
                      this};
  } arms;
  const auto arm = [](void* arg) {
    KILN_CHECK(static_cast<Arms*>(arg)->timer.arm_at(hal_clock_ns()), "a timer is refused");
  };
  KILN_CHECK(clay::run_on_cpu(1, arm, &arms).ok(), "a CPU takes no call");
  breathe(2);
  const bool cancelled = arms.timer.cancel();
  KILN_CHECK(cancelled == (arms.runs == 0 || arms.armed),
             "an arming is %s a cancel that found it %s", arms.armed ? "made in" : "refused by",
             cancelled ? "armed" : "not armed");
}

} // namespace

void check_timer_alone(sim::Machine& machine) {
  check_answers();
  check_ends_itself(machine);
  if (machine.cpus() > 1) {
    check_refused();
  }
  if (machine.cpus() == 1) {
    check_row(machine);
  }
}

} // namespace kiln::sync
