#pragma once
// The queue of a disk: takes requests from any number of tasks and makes commands for the driver of
// them.
//
//   auto queue = CLAY_TRY(RequestQueue::create(driver, shape, limits));
//   CLAY_TRY(queue->write(sector, bytes));          // a BlockDevice as any other
//   ...
//   queue->stop();                                  // waits for what is under way
//   disconnect_interrupt(line);                     // nobody completes any more
//
// Requests. A request that is larger than a command is split, requests whose sectors follow each
// other are merged. A request that overlaps an earlier one, and either writes, waits for that one
// to be done. A write that is to be durable on a device without such a write is followed by a
// flush, and one that wants a flush first gets it; without a volatile cache both are plain writes
// and a flush is done at once.
//
// Order. Of the requests that the queue looks at (the first kMostAdmitted), it starts the one with
// the lowest sector behind the last command, and begins at the front when there is none. A request
// that kMostPassed commands have passed comes first, so none waits for ever. A waiting flush comes
// before all data, but not twice in a row.
//
// Errors. When a command of several requests fails, each of them is tried alone; one that fails
// alone fails. What the device did not transfer is asked for again, as long as it gets on. A
// command that takes too long has the driver reset the device; the others under way then begin
// again. When the device is gone, whatever is in the queue ends with kNoDevice, and whatever comes.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/block/driver.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/wait_queue.h"
#include "kernel-src/task/heap.h"
#include "kernel-src/task/timer.h"
#include "kernel-src/task/work_queue.h"

namespace clay {

inline constinit LockClass block_queue_class{"block-queue"};

class RequestQueue final : public BlockDevice {
 public:
  static constexpr unsigned kMostAdmitted = 64;
  static constexpr unsigned kMostPassed = 32;

  /// kInvalid when shape or limits are unsound; kNoMemory. `driver` outlives the queue.
  static Result<Box<RequestQueue>> create(DiskDriver& driver, const BlockShape& shape,
                                          const QueueLimits& limits);
  /// It has been stopped.
  ~RequestQueue();

  void submit(BlockIo& io) override;

  // --- For the driver

  /// The command that was started with `tag` is done: `bytes` of its data were transferred, from
  /// the first on, all of them unless there is an error (0 for a flush or discard). A tag that is
  /// not under way, a second completion above all, is counted and otherwise ignored. Any context
  /// but NMI; nothing held that start() takes.
  void complete(uint32_t tag, Result<> result, size_t bytes);
  /// The device has been taken away, and touches no memory any more. Any context but NMI.
  void removed();

  // --- Task context, nothing held

  /// Waits until no request is under way.
  CLAY_INLINE void drain() {
    hal_may_wait("disk drain");
    wait_idle();
  }
  /// Refuses requests from now on with kNoDevice, and waits for those under way. Once.
  CLAY_INLINE void stop() {
    hal_may_wait("disk stop");
    finish();
  }

  /// Completions of what was not under way. Any context.
  uint32_t strays() const;

 private:
  void wait_idle();
  void finish();
};

} // namespace clay
