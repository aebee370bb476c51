// Flushes of an item that has been queued again while it runs.

#include "kernel-src/hal/interrupt.h"
#include "kernel-src/sync/semaphore.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "kernel-src/task/work_queue.h"
#include "sim/machine.h"
#include "targets/sync/work_alone.h"

namespace kiln::sync {
namespace {

/// An item each run of which waits for a permit.
struct Gated {
  Gated() { KILN_CHECK(work.queue(), "an item is refused"); }
  ~Gated() { work.flush(); }
  static void run(clay::Work&, void* arg) {
    auto& self = *static_cast<Gated*>(arg);
    self.begun.release();
    self.go.acquire();
    ++self.runs;
  }

  unsigned runs = 0;
  clay::Semaphore begun{"alone-begun", 0};
  clay::Semaphore go{"alone-go", 0};
  clay::Work work{clay::system_work(), "alone-gated", run, this};
};

/// Flushes an item in a task of its own, which then opens another's gate.
struct Flusher {
  Flusher(Gated& flushed, Gated* opened) : flushed_(flushed), opened_(opened) {
    auto made = clay::Task::create("alone-flusher", run, this);
    if (made.ok()) {
      task_ = made.take();
      clay::sleep_for(1000); // to where it waits
    } else {
      open();
    }
  }
  ~Flusher() {
    if (task_) task_.join();
  }
  Flusher(const Flusher&) = delete;
  Flusher& operator=(const Flusher&) = delete;

 private:
  void open() const {
    if (opened_ != nullptr) opened_->go.release();
  }
  static void run(void* arg) {
    auto& self = *static_cast<Flusher*>(arg);
    self.flushed_.work.flush();
    self.open();
  }

  Gated& flushed_;
  Gated* opened_;
  clay::Task task_;
};

/// The run that was queued is waited for, and not the item behind it: that waits for the flush.
void check_flush_of_second_run() {
  Gated item;
  item.begun.acquire();
  KILN_CHECK(item.work.queue(), "an item is refused while it runs");
  Gated behind;
  {
    Flusher flusher(item, &behind);
    item.go.release(2);
  }
  item.work.flush();
  KILN_CHECK(item.runs == 2, "an item that was queued twice has run %u times", item.runs);
}

/// The run that was queued is cancelled, and the one before it ends: there is nothing to wait for.
void check_flush_of_cancelled_run() {
  Gated item;
  item.begun.acquire();
  KILN_CHECK(item.work.queue(), "an item is refused while it runs");
  {
    Flusher flusher(item, nullptr);
    const bool were_on = hal_irq_save(); // the end comes before the flusher looks, if that can be
    KILN_CHECK(item.work.cancel(), "a queued item is not cancelled");
    item.go.release();
    hal_irq_restore(were_on);
  }
  item.work.flush();
  KILN_CHECK(item.runs == 1, "an item that was cancelled once has run %u times", item.runs);
}

} // namespace

void check_flushes_alone() {
  check_flush_of_second_run();
  check_flush_of_cancelled_run();
}

} // namespace kiln::sync
