#pragma once
// Waits for a number of things that go on at the same time.
//
//   group.add(2);                    // before they are started
//   ...each of them ends with group.done();
//   group.wait();
//
// wait(): task context, nothing held. add(), done(): any context but NMI.

#include <stdint.h>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/wait_point.h"

namespace clay {

class WaitGroup : public WaitPoint {
 public:
  constexpr explicit WaitGroup(const char* name) : WaitPoint("wait group", name, kMany) {}

  void add(uint32_t count = 1);
  /// One of them is done; once a wait has returned, nothing here touches the group any more.
  void done();

  CLAY_INLINE void wait() {
    hal_may_wait("wait group");
    static_cast<void>(wait_none(kHalNever));
  }
  /// False when the clock has reached deadline_ns and something still goes on.
  [[nodiscard]] CLAY_INLINE bool wait_until(uint64_t deadline_ns) {
    hal_may_wait("wait group");
    return wait_none(deadline_ns);
  }

 private:
  bool wait_none(uint64_t deadline_ns);

  uint32_t going_on_ = 0; ///< guarded by lock_
};

} // namespace clay
