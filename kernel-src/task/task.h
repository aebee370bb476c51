#pragma once
// A kernel task and the handle that owns it.
//
//   Task writer = CLAY_TRY(Task::create("writer", write_loop, &state));
//   ...
//   writer.join();
//
// A handle must be joined or detached before it goes; dropping it otherwise is a bug of the kernel
// and panics, since the task may use what its creator is about to take away.

#include <stdint.h>
#include <utility>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/memory.h"
#include "kernel-src/hal/task.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/task/task_record.h"

namespace clay {

class Task {
 public:
  using Entry = TaskRecord::Entry;

  constexpr Task() = default;
  constexpr Task(Task&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  Task& operator=(Task&& other) noexcept;
  ~Task();

  /// Starts entry(arg) on any CPU of cpu_mask (bit n = CPU n; 0 = all). `name` and what arg points
  /// to must outlive the task. kNoMemory when there is no room. Any context with kHalAllocAtomic.
  static Result<Task> create(const char* name, Entry entry, void* arg, uint64_t cpu_mask = 0,
                             HalAlloc how = kHalAllocMayWait);

  /// The same for a callable, which moves into the task's record.
  template <typename Body>
  static Result<Task> spawn(const char* name, Body body, uint64_t cpu_mask = 0,
                            HalAlloc how = kHalAllocMayWait) {
    return start(TaskRecord::make(name, std::move(body), how), cpu_mask);
  }

  /// Waits until the task's body has returned, and gives the handle up. Task context, nothing held,
  /// and not the task itself.
  CLAY_INLINE void join() {
    hal_may_wait("join");
    static_cast<void>(join_until_ended(kHalNever));
  }

  /// As join(); false when the clock has reached deadline_ns first: the handle is kept then.
  [[nodiscard]] CLAY_INLINE bool join_until(uint64_t deadline_ns) {
    hal_may_wait("join");
    return join_until_ended(deadline_ns);
  }

  /// Gives the handle up; the task runs on by itself. Any context but NMI.
  void detach();

  /// Whether there is a task to join or detach.
  constexpr explicit operator bool() const { return record_ != nullptr; }
  /// Whether the body has returned.
  bool ended() const;
  /// The machine's handle: to unpark the task by.
  HalTask* hal() const;

 private:
  constexpr explicit Task(TaskRecord* record) : record_(record) {}
  static Result<Task> start(TaskRecord* record, uint64_t cpu_mask);
  bool join_until_ended(uint64_t deadline_ns);

  TaskRecord* record_ = nullptr;
};

} // namespace clay
