#include "kernel-src/task/sleep.h"

#include "kernel-src/hal/task.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/lib/checked.h"

namespace clay {

void park_until(uint64_t deadline_ns) {
  const HalWait what{"sleep", nullptr, nullptr, nullptr, nullptr};
  hal_wait_begin(&what);
  // A permit left over from something else, or nothing at all, may end a park: only the clock
  // counts. However short, a sleep lets others run.
  do {
    static_cast<void>(hal_park(deadline_ns));
  } while (hal_clock_ns() < deadline_ns);
  hal_wait_end();
}

uint64_t deadline_after(uint64_t delay_ns) { return saturating_add(hal_clock_ns(), delay_ns); }

} // namespace clay
