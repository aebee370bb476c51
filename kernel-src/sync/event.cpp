#include "kernel-src/sync/event.h"

namespace clay {

void BasicEvent::signal() {
  use();
  IrqSpinGuard guard(lock_);
  if (reset_ == Reset::kManual) {
    hal_step("sets event", name());
    set_ = true;
    queue_.grant_all();
  } else if (queue_.empty()) {
    hal_step("leaves a signal, nobody waits yet, with event", name());
    set_ = true;
  } else {
    hal_step("signals event", name());
    queue_.grant_first();
  }
}

void BasicEvent::clear() {
  use();
  IrqSpinGuard guard(lock_);
  hal_step(set_ ? "clears away a signal of event" : "clears event", name());
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
  hal_step(set_ ? "takes the signal of event" : "finds no signal of event", name());
  if (!set_) {
    return wait_in_queue(guard, deadline_ns);
  }
  if (reset_ == Reset::kAuto) {
    set_ = false;
  }
  return true;
}

} // namespace clay
