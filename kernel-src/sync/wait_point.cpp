#include "kernel-src/sync/wait_point.h"

namespace clay {

bool WaitPoint::wait_in_queue(IrqSpinGuard& guard, uint64_t deadline_ns, HalTask* on) {
  Waiter self;
  const HalWait what{object_.kind, this, name_, nullptr, on};
  hal_object_wait_begin(&object_);
  const bool granted = queue_.wait(guard, self, what, deadline_ns);
  hal_object_wait_end(&object_);
  return granted;
}

} // namespace clay
