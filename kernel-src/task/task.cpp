// Tasks: start, end, join, detach.

#include "kernel-src/task/task.h"

#include "kernel-src/lib/assert.h"
#include "kernel-src/task/heap.h"

namespace clay {

bool TaskRecord::start(uint64_t cpu_mask) {
  // The new task may run, end and drop its reference before this returns; ours keeps the record.
  hal_ = hal_task_create(name_, run, this, cpu_mask);
  return hal_ != nullptr;
}

void TaskRecord::run(void* record) {
  auto* self = static_cast<TaskRecord*>(record);
  self->entry_(self->arg_);
  self->mark_ended();
  self->drop();
}

void TaskRecord::mark_ended() {
  IrqSpinGuard guard(lock_);
  ended_ = true;
  queue_.grant_all();
}

bool TaskRecord::ended() {
  IrqSpinGuard guard(lock_);
  return ended_;
}

bool TaskRecord::wait_ended(uint64_t deadline_ns) {
  IrqSpinGuard guard(lock_);
  return ended_ || wait_in_queue(guard, deadline_ns, hal_);
}

void TaskRecord::drop() {
  // Release: what either side did with the record comes before the other destroys it (acquire).
  if (references_.fetch_sub(1, std::memory_order_release) != 1) {
    return;
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  if (hal_ != nullptr) {
    hal_task_release(hal_);
  }
  destroy_(this);
}

Result<Task> Task::create(const char* name, Entry entry, void* arg, uint64_t cpu_mask,
                          HalAlloc how) {
  constexpr auto destroy = [](TaskRecord* record) { heap_delete(record); };
  return start(heap_new<TaskRecord>(how, name, entry, arg, +destroy), cpu_mask);
}

Result<Task> Task::start(TaskRecord* record, uint64_t cpu_mask) {
  if (record == nullptr) {
    return Error::kNoMemory;
  }
  if (!record->start(cpu_mask)) {
    record->drop();
    record->drop(); // the task's own, which never ran
    return Error::kNoMemory;
  }
  return Task(record);
}

Task& Task::operator=(Task&& other) noexcept {
  if (this != &other) {
    CLAY_ASSERT(record_ == nullptr);
    record_ = std::exchange(other.record_, nullptr);
  }
  return *this;
}

Task::~Task() { CLAY_ASSERT(record_ == nullptr); }

bool Task::join_until_ended(uint64_t deadline_ns) {
  CLAY_ASSERT(record_ != nullptr);
  if (!record_->wait_ended(deadline_ns)) {
    return false;
  }
  detach();
  return true;
}

void Task::detach() {
  CLAY_ASSERT(record_ != nullptr);
  std::exchange(record_, nullptr)->drop();
}

bool Task::ended() const {
  CLAY_ASSERT(record_ != nullptr);
  return record_->ended();
}

HalTask* Task::hal() const { return record_ == nullptr ? nullptr : record_->hal(); }

} // namespace clay
