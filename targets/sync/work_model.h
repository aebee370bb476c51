#pragma once
// For sync/work: work items and what their queues promise about them. Counts are kept before and
// after the calls, so that every check holds whatever runs in between.

#include <cstdint>

#include "kernel-src/task/delayed_work.h"
#include "kernel-src/task/work_queue.h"
#include "sim/machine.h"

namespace kiln::sync {

/// What a handler does, besides being checked.
enum class InWork : uint8_t { kNothing, kSleep, kQueueAgain, kQueueOther };

/// The order of one queue's items: calls of queue(), numbered at their begin and their end.
struct WorkOrder {
  uint64_t turns = 0;
  uint64_t latest_began = 0; ///< of the queueings that have been run
};

class ModelWork {
 public:
  ModelWork(sim::Machine& machine, clay::WorkQueue& queue, WorkOrder& order)
      : machine_(machine), order_(order), work_(queue, "work", ran, this) {}
  /// Cancels it first.
  ~ModelWork();

  void queue();
  void cancel();
  void cancel_sync();
  void flush();
  void flush_until(uint64_t patience_ns);

  /// Queueings that were accepted so far.
  unsigned queued() const { return queued_; }
  /// A drain of its queue has come back that began when `queued_before` had been accepted.
  void check_drained(unsigned queued_before) const;

  /// What the handler does the next `times` times; `other` for kQueueOther.
  void set_handler(InWork what, unsigned times, uint64_t sleep_ns, ModelWork* other);

  /// Its queue is about to stop: from here on it may be refused.
  void expect_stop() { stopping_ = true; }

  /// When its queue has drained and nobody calls any more: every queueing was run or cancelled.
  void check_settled() const;

 private:
  static void ran(clay::Work& work, void* self);
  void act();
  bool settled(unsigned queued_before) const { return ended_ + cancelled_ >= queued_before; }
  void check_flushed(unsigned queued_before);
  void check_order();
  bool is_barred() const;

  sim::Machine& machine_;
  WorkOrder& order_;
  uint64_t began_ = 0;    ///< when the last queueing that was accepted began
  uint64_t accepted_ = 0; ///< and when it had been accepted
  bool stamped_ = false;  ///< no cancel since: it is known which queueing these are of
  unsigned queued_ = 0;   ///< queueings that were accepted
  unsigned started_ = 0;
  unsigned ended_ = 0;
  uint64_t ended_ns_ = 0;  ///< when the last run ended
  unsigned cancelled_ = 0; ///< queueings that a cancel took back
  unsigned queueing_ = 0;  ///< calls under way
  unsigned cancelling_ = 0;
  unsigned syncing_ = 0;    ///< calls of cancel_sync() under way
  uint64_t sync_began_ = 0; ///< by the clock: the last of them
  unsigned calls_ = 0;      ///< of queue(), begun and not refused
  bool stopping_ = false;
  bool quiet_ = true; ///< must not run: cancelled, and not queued since

  InWork what_ = InWork::kNothing;
  unsigned times_ = 0;
  uint64_t sleep_ns_ = 0;
  ModelWork* other_ = nullptr;

  clay::Work work_;
};

/// A delayed item: runs no earlier than its deadline, never after its cancel_sync(). For one task,
/// and for the handler, which may queue it again.
class ModelDelayed {
 public:
  ModelDelayed(sim::Machine& machine, clay::WorkQueue& queue)
      : machine_(machine), work_(queue, "delayed", ran, this) {}
  /// Cancels it first.
  ~ModelDelayed();

  void queue_at(uint64_t deadline_ns);
  void cancel();
  void cancel_sync();
  /// The handler queues it again, `times` times.
  void set_again(unsigned times) { again_ = times; }

 private:
  static void ran(clay::Work& work, void* self);

  sim::Machine& machine_;
  uint64_t earliest_ns_ = UINT64_MAX;
  bool quiet_ = true;
  unsigned inside_ = 0;
  unsigned ran_ = 0;
  unsigned again_ = 0;
  clay::DelayedWork work_;
};

} // namespace kiln::sync
