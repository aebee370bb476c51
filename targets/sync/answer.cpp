#include "targets/sync/answer.h"

namespace kiln::sync {

void Answer::tell() {
  switch (kind_) {
  case kCompletion:
    return completion_.complete();
  case kCompletionForAll:
    return completion_.complete_all();
  case kEvent:
    return event_.signal();
  case kManualEvent:
    return manual_.signal();
  default:
    return group_.done();
  }
}

bool Answer::wait_until(uint64_t deadline_ns) {
  switch (kind_) {
  case kCompletion:
  case kCompletionForAll:
    return completion_.wait_until(deadline_ns);
  case kEvent:
    return event_.wait_until(deadline_ns);
  case kManualEvent:
    return manual_.wait_until(deadline_ns);
  default:
    return group_.wait_until(deadline_ns);
  }
}

void Answer::wait(bool timed) {
  while (!wait_until(timed ? hal_clock_ns() + 100 : kHalNever)) {
  }
}

bool Answer::came() { return completion_.done() || event_.is_set() || manual_.is_set(); }

} // namespace kiln::sync
