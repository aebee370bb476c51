#pragma once
// For sync/waits: something on the kernel's heap that one task waits for once, and ends as soon as
// its wait has returned. Whoever tells it must not touch it then: its memory is gone.

#include <cstdint>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/completion.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/sync/wait_group.h"
#include "kernel-src/task/heap.h"

namespace kiln::sync {

class Answer {
 public:
  enum Kind : uint8_t { kCompletion, kCompletionForAll, kEvent, kManualEvent, kGroup, kKinds };

  explicit Answer(Kind kind) : kind_(kind) {
    if (kind == kGroup) {
      group_.add();
    }
  }

  /// Once. Any context.
  void tell();
  /// Until it is told; with patience that runs out again and again when `timed`.
  void wait(bool timed);
  /// Whether a wait would return at once. Of a group it is not known.
  bool came();

 private:
  bool wait_until(uint64_t deadline_ns);

  Kind kind_;
  clay::Completion completion_{"answer"};
  clay::Event event_{"answer"};
  clay::SharedEvent manual_{"answer"};
  clay::WaitGroup group_{"answer"};
};

} // namespace kiln::sync
