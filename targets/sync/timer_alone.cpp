#include "targets/sync/timer_alone.h"

#include <string_view>

#include "kernel-src/hal/time.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/timer.h"
#include "sim/probe.h"

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

} // namespace

void check_timer_alone(sim::Machine& machine) {
  check_answers();
  if (machine.cpus() == 1) {
    check_row(machine);
  }
}

} // namespace kiln::sync
