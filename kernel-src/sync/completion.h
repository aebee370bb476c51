#pragma once
// Something that gets done: one wait returns for each complete(), every wait after complete_all().
// Made for objects on the waiter's stack: once a wait has returned, complete() no longer touches
// it.
//
// wait(): task context, nothing held. The rest: any context but NMI.

#include <stdint.h>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/wait_point.h"

namespace clay {

class Completion : public WaitPoint {
 public:
  constexpr explicit Completion(const char* name) : WaitPoint("completion", name, kMany) {}

  void complete();
  void complete_all();

  CLAY_INLINE void wait() {
    hal_may_wait("completion wait");
    static_cast<void>(wait_done(kHalNever));
  }
  /// False when the clock has reached deadline_ns and it was not done.
  [[nodiscard]] CLAY_INLINE bool wait_until(uint64_t deadline_ns) {
    hal_may_wait("completion wait");
    return wait_done(deadline_ns);
  }
  /// Whether a wait would return at once; takes nothing.
  bool done();

 private:
  static constexpr uint32_t kAll = UINT32_MAX;
  bool wait_done(uint64_t deadline_ns);

  uint32_t done_ = 0; ///< waits that may return at once; guarded by lock_
};

} // namespace clay
