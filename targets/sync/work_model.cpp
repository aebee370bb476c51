#include "targets/sync/work_model.h"

#include "kernel-src/hal/time.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/sync/support.h"

namespace kiln::sync {
namespace {

constexpr const char* kTarget = "sync/work";
sim::Probe runs{kTarget, "an item runs"};
sim::Probe queued_twice{kTarget, "an item is queued that is queued already"};
sim::Probe queued_running{kTarget, "an item is queued while its handler runs"};
sim::Probe taken_back{kTarget, "a queued item is cancelled"};
sim::Probe cancel_waited{kTarget, "a cancel_sync waits for the handler"};
sim::Probe refused{kTarget, "an item is not queued because somebody cancels it"};
sim::Probe barred_queue{kTarget, "an item is queued while a cancel_sync surely waits"};
sim::Probe ordered{kTarget, "an item runs whose turn is certain"};
sim::Probe flush_waited{kTarget, "a flush waits"};
sim::Probe flush_gave_up{kTarget, "a timed flush gives up"};
sim::Probe queued_from_irq{kTarget, "an interrupt queues an item"};
sim::Probe delayed_ran{kTarget, "a delayed item runs"};
sim::Probe delayed_cancelled{kTarget, "a delayed item is cancelled before its deadline"};
sim::Probe delayed_again{kTarget, "a delayed item's handler queues it again"};
sim::Probe delayed_taken{kTarget, "a delayed item is surely cancelled, without waiting"};

} // namespace

ModelWork::~ModelWork() { cancel_sync(); }

/// Whether a cancel_sync waits for the handler that runs: when the machine has idled since it
/// began, everybody had got as far as he could.
bool ModelWork::is_barred() const {
  return syncing_ != 0 && started_ != ended_ && machine_.idle_until() > sync_began_;
}

void ModelWork::queue() {
  // Whoever cancels, queues or begins meanwhile may be the reason for a refusal.
  const bool free = queueing_ == 0 && cancelling_ == 0 && queued_ == started_ + cancelled_;
  const unsigned calls = ++calls_;
  quiet_ = false;
  ++queueing_;
  const bool cancelled_now = cancelling_ != 0;
  const bool running = started_ != ended_;
  const bool barred = is_barred();
  const unsigned started = started_;
  const uint64_t began = ++order_.turns;
  const bool accepted = work_.queue();
  --queueing_;
  if (barred && started == started_ && running && started_ != ended_) {
    barred_queue.hit();
    KILN_CHECK(!accepted, "an item is queued while a cancel_sync waits for its handler");
  }
  if (in_interrupt()) {
    queued_from_irq.hit();
  }
  if (accepted) {
    ++queued_;
    began_ = began;
    accepted_ = ++order_.turns;
    stamped_ = true;
    if (running) {
      queued_running.hit();
    }
    return;
  }
  if (cancelled_now) {
    refused.hit();
  } else {
    queued_twice.hit();
  }
  KILN_CHECK(!free || stopping_ || calls_ != calls || cancelling_ != 0,
             "an item was not queued, and nobody had queued or cancelled it");
}

void ModelWork::cancel() {
  ++cancelling_;
  const bool taken = work_.cancel();
  --cancelling_;
  if (taken) {
    ++cancelled_;
    stamped_ = false;
    taken_back.hit();
  }
}

void ModelWork::cancel_sync() {
  const unsigned calls = queueing_ == 0 ? calls_ : UINT32_MAX;
  const bool running = started_ != ended_;
  ++cancelling_;
  ++syncing_;
  sync_began_ = machine_.now();
  const bool taken = work_.cancel_sync();
  --syncing_;
  --cancelling_;
  if (taken) {
    ++cancelled_;
    stamped_ = false;
    taken_back.hit();
  }
  if (running) {
    cancel_waited.hit();
  }
  if (calls == calls_ && queueing_ == 0) {
    KILN_CHECK(started_ == ended_, "a cancel_sync came back while the handler runs");
    quiet_ = true;
  }
}

void ModelWork::check_flushed(unsigned queued_before) {
  KILN_CHECK(ended_ + cancelled_ >= queued_before,
             "a flush came back when %u of %u queueings were settled", ended_ + cancelled_,
             queued_before);
}

void ModelWork::check_drained(unsigned queued_before) const {
  // A cancel that runs at this moment has taken the item out but not been counted.
  KILN_CHECK(cancelling_ != 0 || settled(queued_before),
             "a drain came back when %u of %u queueings were settled", ended_ + cancelled_,
             queued_before);
}

void ModelWork::flush() {
  const unsigned queued_before = queued_;
  if (ended_ + cancelled_ < queued_before) {
    flush_waited.hit();
  }
  work_.flush();
  // A cancel that runs at this moment has taken the item out but not been counted.
  if (cancelling_ == 0) {
    check_flushed(queued_before);
  }
}

void ModelWork::flush_until(uint64_t patience_ns) {
  const unsigned queued_before = queued_; // at least: it may be queued again before the flush looks
  const uint64_t began_ns = machine_.now();
  const uint64_t deadline_ns = hal_clock_ns() + patience_ns;
  if (!work_.flush_until(deadline_ns)) {
    flush_gave_up.hit();
    // With cancels it is not known when the last one was settled.
    KILN_CHECK(cancelled_ != 0 || cancelling_ != 0 || queueing_ != 0 || !settled(queued_) ||
                   machine_.idle_until() <= ended_ns_,
               "a flush gave up, and what it waited for had been done");
    return check_gave_up(machine_, began_ns, deadline_ns, "a timed flush");
  }
  if (cancelling_ == 0) {
    check_flushed(queued_before);
  }
}

void ModelWork::set_handler(InWork what, unsigned times, uint64_t sleep_ns, ModelWork* other) {
  what_ = what;
  times_ = times;
  sleep_ns_ = sleep_ns;
  other_ = other;
}

void ModelWork::check_settled() const {
  KILN_CHECK(started_ == ended_ && ended_ + cancelled_ == queued_,
             "of %u queueings %u ran to their end and %u were cancelled", queued_, ended_,
             cancelled_);
}

void ModelWork::act() {
  breathe(2);
  if (times_ == 0) {
    return;
  }
  --times_;
  if (what_ == InWork::kSleep) {
    clay::sleep_for(sleep_ns_);
  } else if (what_ == InWork::kQueueAgain) {
    queue();
  } else if (what_ == InWork::kQueueOther && other_ != nullptr) {
    other_->queue();
  }
}

/// First come, first served, where it is certain which queueing runs.
void ModelWork::check_order() {
  if (!stamped_ || queueing_ != 0 || cancelling_ != 0 || queued_ != started_ + cancelled_ + 1) {
    return;
  }
  ordered.hit();
  KILN_CHECK(accepted_ > order_.latest_began, "an item runs behind one that was queued after it");
  order_.latest_began = began_ > order_.latest_began ? began_ : order_.latest_began;
}

void ModelWork::ran(clay::Work&, void* arg) {
  auto& self = *static_cast<ModelWork*>(arg);
  runs.hit();
  KILN_CHECK(!self.quiet_, "an item runs that is cancelled");
  KILN_CHECK(self.started_ == self.ended_, "an item runs twice at the same time");
  self.check_order();
  ++self.started_;
  self.act();
  self.ended_ns_ = self.machine_.now();
  ++self.ended_;
}

ModelDelayed::~ModelDelayed() { cancel_sync(); }

void ModelDelayed::queue_at(uint64_t deadline_ns) {
  earliest_ns_ = deadline_ns < earliest_ns_ ? deadline_ns : earliest_ns_;
  quiet_ = false;
  static_cast<void>(work_.queue_at(deadline_ns));
}

void ModelDelayed::cancel() {
  const unsigned ran = ran_;
  const bool due_later = !quiet_ && machine_.now() < earliest_ns_;
  const bool found = work_.cancel();
  if (due_later && machine_.now() < earliest_ns_ && inside_ == 0 && ran == ran_) {
    delayed_taken.hit();
    KILN_CHECK(found, "a delayed item's cancel found no deadline to come");
    quiet_ = true;
  }
}

void ModelDelayed::cancel_sync() {
  const bool early = machine_.now() < earliest_ns_;
  if (work_.cancel_sync() && early) {
    delayed_cancelled.hit();
  }
  KILN_CHECK(inside_ == 0, "a cancel_sync of a delayed item came back while its handler runs");
  quiet_ = true;
  earliest_ns_ = UINT64_MAX;
}

void ModelDelayed::ran(clay::Work&, void* arg) {
  auto& self = *static_cast<ModelDelayed*>(arg);
  delayed_ran.hit();
  KILN_CHECK(!self.quiet_, "a delayed item runs that is cancelled");
  KILN_CHECK(self.machine_.now() >= self.earliest_ns_, "a delayed item runs before its deadline");
  ++self.inside_;
  ++self.ran_;
  breathe(2);
  if (self.again_ != 0) {
    --self.again_;
    delayed_again.hit();
    self.queue_at(hal_clock_ns() + 100);
    breathe(2);
  }
  --self.inside_;
}

} // namespace kiln::sync
