#pragma once
// A number of permits. Whoever acquires one waits until there is one; first come, first served.
//
// acquire(): task context, nothing held. try_acquire(), release(): any context but NMI.

#include <stdint.h>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/wait_point.h"

namespace clay {

class Semaphore : public WaitPoint {
 public:
  constexpr Semaphore(const char* name, uint32_t permits)
      : WaitPoint("semaphore", name, kMany), permits_(permits) {}

  CLAY_INLINE void acquire() {
    hal_may_wait("semaphore acquire");
    static_cast<void>(take(kHalNever));
  }
  /// False when the clock has reached deadline_ns without a permit.
  [[nodiscard]] CLAY_INLINE bool acquire_until(uint64_t deadline_ns) {
    hal_may_wait("semaphore acquire");
    return take(deadline_ns);
  }
  [[nodiscard]] bool try_acquire();
  /// Gives `permits` back, or adds them: at most 2^32 - 1 may be there at a time.
  void release(uint32_t permits = 1);

 private:
  bool take(uint64_t deadline_ns);

  uint32_t permits_; ///< guarded by lock_; not 0 only while nobody waits
};

} // namespace clay
