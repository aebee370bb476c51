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
// Requests. One that is larger than a command is split, those whose sectors follow each other are
// merged. A request that overlaps an earlier one, and either writes, waits for that one to be done.
// A write that is to be durable on a device that cannot do that by itself is followed by a flush,
// and one that wants a flush first gets it; without a volatile cache both are plain writes and a
// flush is done at once.
//
// Order. Of the requests that the queue looks at (the first QueueLimits::most_admitted), it starts
// the one with the lowest sector behind the last command, and begins at the front when there is
// none. One that most_passed commands have passed comes first, so none waits for ever. A waiting
// flush comes before all data, but not twice in a row.
//
// Errors. When a command of several requests fails, each of them is tried alone; one that fails
// alone fails. What the device did not transfer is asked for again, as long as it gets on. A
// command that takes too long has the driver reset the device; the others under way then begin
// again. When the device is gone, whatever is in the queue ends with kNoDevice, and whatever comes.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/block/driver.h"
#include "kernel-src/block/queue_slots.h"
#include "kernel-src/block/queue_window.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/wait_queue.h"
#include "kernel-src/task/heap.h"
#include "kernel-src/task/timer.h"
#include "kernel-src/task/work_queue.h"

namespace clay {

inline constinit LockClass block_queue_class{"block-queue"};

class RequestQueue final : public BlockDevice {
 public:
  /// kInvalid when shape or limits are unsound; kNoMemory. `driver` outlives the queue. May wait.
  static Result<Box<RequestQueue>> create(DiskDriver& driver, const BlockShape& shape,
                                          const QueueLimits& limits);
  /// It has been stopped.
  ~RequestQueue();

  void submit(BlockIo& io) override;

  // --- For the driver

  /// The command that was started with `tag` is done. Without an error `bytes` of its data have
  /// been transferred, from the first on; they mean nothing for a flush or discard. False when no
  /// such command is under way, a second completion above all: nothing happens then. Any context
  /// but NMI, with nothing held that start() takes.
  bool complete(uint32_t tag, Result<> result, size_t bytes);
  /// The device has been taken away, and touches no memory any more. Any context but NMI.
  void removed();

  // --- Task context, nothing held

  /// Waits until no request is under way.
  CLAY_INLINE void drain() {
    hal_may_wait("disk drain");
    IrqSpinGuard guard(lock_);
    wait_idle(guard);
  }
  /// Refuses requests from now on with kNoDevice, and waits for those under way. Once.
  CLAY_INLINE void stop() {
    hal_may_wait("disk stop");
    finish();
  }

 private:
  /// Requests that are done and still to be given back, without the lock.
  using Finished = RequestList;

  RequestQueue(DiskDriver& driver, const BlockShape& shape, const QueueLimits& limits);

  // --- queue.cpp. With lock_ held:
  void refill();
  void wake_idle();
  void start_commands(IrqSpinGuard& guard, Finished& finished);
  CommandSlot* next_command();
  void fill(CommandSlot& slot, BlockIo& first);
  // Without:
  void give_back(Finished& finished);

  // --- queue_settle.cpp: what has become of a command. With lock_ held:
  void settle(CommandSlot& slot, Result<> result, size_t bytes, Finished& finished);
  void settle_flush(CommandSlot& slot, Result<> result, Finished& finished);
  void settle_error(CommandSlot& slot, Error error, Finished& finished);
  void settle_sectors(CommandSlot& slot, uint32_t sectors, Finished& finished);
  void end_part(CommandSlot& slot, Result<> result, Finished& finished);
  void end_request(BlockIo& io, Result<> result, Finished& finished);

  // --- queue_recovery.cpp. With lock_ held:
  void arm(uint64_t deadline_ns);
  void look_for_late();
  bool any_late();
  void reset_device(IrqSpinGuard& guard, Finished& finished);
  void take_back(CommandSlot& slot, Finished& finished);
  void wait_idle(IrqSpinGuard& guard);
  void wait_not_dispatching(IrqSpinGuard& guard);
  void wait_a_while(IrqSpinGuard& guard);
  // Without:
  static void on_timer(Timer& timer, void* self);
  static void on_recovery(Work& work, void* self);
  void recover();
  void fail_all();
  void finish();

  DiskDriver& driver_;
  const QueueLimits limits_;

  IrqSpinLock lock_{block_queue_class}; ///< guards the rest
  RequestWindow window_;
  RequestList backlog_; ///< behind the window, first come first
  CommandSlots slots_;
  uint64_t head_ = 0;           ///< the sector behind the last command
  uint64_t started_ = 0;        ///< commands so far
  uint64_t pending_ = 0;        ///< requests that were accepted and not given back
  bool flushing_ = false;       ///< a flush has a slot
  bool last_was_flush_ = false; ///< of what was chosen last
  bool dispatching_ = false;    ///< somebody starts commands, and will look again
  bool frozen_ = false;         ///< nothing starts: recovery is due
  bool stopping_ = false;
  bool gone_ = false;
  bool timer_armed_ = false;
  WaitQueue idle_; ///< wait for the end of requests or of dispatching
  Timer timer_{"disk command", on_timer, this};
  WorkQueue recovery_{"disk recovery"}; ///< of its own: others may wait for this disk
  Work recovery_work_{recovery_, "disk recovery", on_recovery, this};
};

} // namespace clay
