#pragma once
// Sleeping. Task context, nothing held.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/inline.h"

namespace clay {

/// The body of sleep_until(), behind its check of the context.
void park_until(uint64_t deadline_ns);
/// Now and `delay_ns` later; never when that lies beyond the end of time.
uint64_t deadline_after(uint64_t delay_ns);

/// Returns once the clock has reached deadline_ns; never earlier.
CLAY_INLINE void sleep_until(uint64_t deadline_ns) {
  hal_may_wait("sleep");
  park_until(deadline_ns);
}

CLAY_INLINE void sleep_for(uint64_t delay_ns) { sleep_until(deadline_after(delay_ns)); }

} // namespace clay
