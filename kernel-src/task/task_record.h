#pragma once
// What the kernel keeps about a task: shared by its handle and by the running task, gone with the
// last of them. Private to task.h.

#include <atomic>
#include <new>
#include <stdint.h>
#include <utility>

#include "kernel-src/hal/memory.h"
#include "kernel-src/hal/task.h"
#include "kernel-src/sync/wait_point.h"

namespace clay {

class TaskRecord : private WaitPoint {
 public:
  using Entry = void (*)(void*);
  using Destroy = void (*)(TaskRecord*);

  TaskRecord(const char* name, Entry entry, void* arg, Destroy destroy)
      : WaitPoint("join", name, kMany), name_(name), entry_(entry), arg_(arg), destroy_(destroy) {}

  /// A record that holds `body` and calls it; null when there is no memory.
  template <typename Body> static TaskRecord* make(const char* name, Body body, HalAlloc how);

  /// Starts the task; false when there is no room for one.
  bool start(uint64_t cpu_mask);
  /// Waits until the body has returned; false at the deadline.
  bool wait_ended(uint64_t deadline_ns);
  bool ended();
  HalTask* hal() const { return hal_; }
  /// Drops one of the two references. The record may be gone.
  void drop();

 private:
  static void run(void* record);
  void mark_ended();

  const char* name_;
  Entry entry_;
  void* arg_;
  Destroy destroy_;
  HalTask* hal_ = nullptr; ///< written by the creator before it drops its reference
  std::atomic<uint32_t> references_{2};
  bool ended_ = false; ///< guarded by lock_
};

/// A record with the callable that its task runs.
template <typename Body> class TaskRecordOf : public TaskRecord {
 public:
  TaskRecordOf(const char* name, Body body)
      : TaskRecord(name, call, this, destroy), body_(std::move(body)) {}

 private:
  static void call(void* self) { static_cast<TaskRecordOf*>(self)->body_(); }
  static void destroy(TaskRecord* record) {
    auto* self = static_cast<TaskRecordOf*>(record);
    self->~TaskRecordOf();
    hal_free(self);
  }

  Body body_;
};

template <typename Body> TaskRecord* TaskRecord::make(const char* name, Body body, HalAlloc how) {
  using Record = TaskRecordOf<Body>;
  void* block = hal_alloc(sizeof(Record), alignof(Record), how);
  return block == nullptr ? nullptr : new (block) Record(name, std::move(body));
}

} // namespace clay
