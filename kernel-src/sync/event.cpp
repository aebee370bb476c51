#include "kernel-src/sync/event.h"

namespace clay {

void BasicEvent::signal() {
  use();
  IrqSpinGuard guard(lock_);
  if (reset_ == Reset::kManual) {
    set_ = true;
    queue_.grant_all();
  } else if (queue_.empty()) {
    set_ = true;
  } else {
    queue_.grant_first();
  }
}

void BasicEvent::clear() {
  use();
  IrqSpinGuard guard(lock_);
  set_ = false;
}

bool BasicEvent::is_set() {
  use();
  IrqSpinGuard guard(lock_);
  return set_;
}

bool BasicEvent::wait_signal(uint64_t deadline_ns) {
  use();
  IrqSpinGuard guard(lock_);
  if (!set_) {
    return wait_in_queue(guard, deadline_ns);
  }
  if (reset_ == Reset::kAuto) {
    set_ = false;
  }
  return true;
}

} // namespace clay
