#include "kernel-src/sync/rw_mutex.h"

namespace clay {

bool RwMutex::open_to(Side side) const { return !writer_ && (side == kReader || readers_ == 0); }

void RwMutex::count_in(Side side) {
  if (side == kWriter) {
    writer_ = true;
  } else {
    ++readers_;
  }
}

bool RwMutex::try_enter(Side side) {
  IrqSpinGuard guard(queue_lock_);
  if (!queue_.empty() || !open_to(side)) {
    return false;
  }
  count_in(side);
  return true;
}

bool RwMutex::enter(Side side, uint64_t deadline_ns) {
  IrqSpinGuard guard(queue_lock_);
  if (queue_.empty() && open_to(side)) {
    count_in(side);
    return true;
  }
  Waiter self;
  self.tag = side;
  const HalWait what{"rw mutex", this, map_.lock_class->name, &map_, nullptr};
  if (queue_.wait(guard, self, what, deadline_ns)) {
    return true; // counted in by whoever granted it
  }
  hand_over(); // readers may have waited behind a writer that has just given up
  return false;
}

void RwMutex::leave(Side side) {
  IrqSpinGuard guard(queue_lock_);
  if (side == kWriter) {
    writer_ = false;
  } else {
    --readers_;
  }
  hand_over();
}

/// Lets in whoever is first and may enter: one writer, or all readers before the next writer.
void RwMutex::hand_over() {
  while (!queue_.empty()) {
    const Side side = static_cast<Side>(queue_.first()->tag);
    if (!open_to(side)) {
      return;
    }
    count_in(side);
    queue_.grant_first();
  }
}

} // namespace clay
