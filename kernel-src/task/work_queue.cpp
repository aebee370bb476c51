// The task of a work queue, its start and its end.

#include "kernel-src/task/work_queue.h"

#include "kernel-src/lib/assert.h"
#include "kernel-src/sync/permanent.h"

namespace clay {
namespace {

constinit Permanent<WorkQueue> system_queue{"work"};

} // namespace

WorkQueue& system_work() { return *system_queue; }

void boot_work() {
  const Result<> started = system_queue->start();
  CLAY_ASSERT(started.ok());
}

WorkQueue::~WorkQueue() { CLAY_ASSERT(!task_ && items_.empty()); }

Result<> WorkQueue::start() {
  task_ = CLAY_TRY(Task::create(name_, run, this));
  return {};
}

void WorkQueue::run(void* queue) {
  auto* self = static_cast<WorkQueue*>(queue);
  IrqSpinGuard guard(self->lock_);
  while (Work* work = self->next_work(guard)) {
    self->run_one(guard, *work);
  }
}

/// Waits for an item; null when the queue is stopping and empty.
Work* WorkQueue::next_work(IrqSpinGuard& guard) {
  for (;;) {
    if (Work* work = items_.pop_front()) {
      return work;
    }
    idle_waiters_.grant_all();
    if (stopping_) {
      return nullptr;
    }
    Waiter self;
    const HalWait what{"work", this, name_, nullptr, nullptr};
    static_cast<void>(worker_.wait(guard, self, what, kHalNever));
  }
}

void WorkQueue::run_one(IrqSpinGuard& guard, Work& work) {
  hal_object_use(&work.object_);
  running_ = &work;
  ++runs_;
  running_waiters_.take_all(work.waiters_);
  guard.unlock();
  work.handler_(work, work.arg_); // and the item may be gone
  guard.lock();
  running_ = nullptr;
  running_waiters_.grant_all();
}

bool WorkQueue::accepts(const Work& work) const {
  return !stopping_ && work.cancels_ == 0 && !work.link_.is_linked();
}

bool WorkQueue::enqueue(Work& work) {
  if (!accepts(work)) {
    return false;
  }
  items_.push_back(work);
  if (!worker_.empty()) {
    worker_.grant_first();
  }
  return true;
}

bool WorkQueue::remove(Work& work) {
  if (!work.link_.is_linked()) {
    return false;
  }
  items_.remove(work);
  work.waiters_.grant_all();
  return true;
}

/// Waits for something that the queue's task will do.
bool WorkQueue::wait_for_task(IrqSpinGuard& guard, WaitQueue& queue, const char* what,
                              const char* name, uint64_t deadline_ns) {
  Waiter self;
  const HalWait wait{what, this, name, nullptr, task_.hal()};
  return queue.wait(guard, self, wait, deadline_ns);
}

void WorkQueue::wait_idle() {
  IrqSpinGuard guard(lock_);
  while (!items_.empty() || running_ != nullptr) {
    static_cast<void>(wait_for_task(guard, idle_waiters_, "drain", name_, kHalNever));
  }
}

void WorkQueue::finish() {
  {
    IrqSpinGuard guard(lock_);
    stopping_ = true;
    if (!worker_.empty()) {
      worker_.grant_first();
    }
  }
  task_.join();
}

} // namespace clay
