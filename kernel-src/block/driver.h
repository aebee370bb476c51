#pragma once
// What stands below a request queue: the driver of one disk. The queue makes commands that the disk
// can take and hands them to the driver; the driver says, in its interrupt handler, what became of
// them.
//
//   class MyDisk : public DiskDriver {
//     Result<> start(const DiskCommand& command) override { ...ring the doorbell... }
//     Result<> reset() override { ... }
//     static void on_interrupt(unsigned, void* self) { ...queue->complete(tag, {}, bytes); }
//   };
//   auto queue = CLAY_TRY(RequestQueue::create(my_disk, shape, limits));
//
// Who may touch the memory of a command: the device, from start() until the driver has completed
// the command, or a reset() has returned, whatever it returned, or the driver has said that the
// device is gone. Until then the queue keeps the memory and the requests, also of a command whose
// time is over.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay {

/// A piece of memory of a command: whole sectors, at least one.
struct DiskPiece {
  uint8_t* data;
  uint32_t sectors;
};

/// What the disk is to do. Stays as it is until the command is completed or taken back.
struct DiskCommand {
  BlockOp op = BlockOp::kRead;
  bool durable = false; ///< of a write: FUA; only when the shape has_durable_write
  uint16_t slot = 0;    ///< below QueueLimits::slots; no two commands under way share one
  uint32_t tag = 0;     ///< names this start of this command: for complete()
  uint64_t sector = 0;  ///< this and the next: not of a flush
  uint32_t sectors = 0; ///< 1 to most_sectors
  /// In the order of the sectors, up to most_segments, none for a flush or discard. Of a write the
  /// device only reads them.
  Span<const DiskPiece> pieces;
};

/// What a driver allows; the rest is in the device's shape.
struct QueueLimits {
  uint16_t slots = 8; ///< commands under way at most; 1 to kMostSlots
  /// How long a command may take before the driver is asked for a reset.
  uint64_t command_ns = 30'000'000'000;
  uint16_t most_admitted = 64; ///< requests that compete, at least 1; others wait behind them
  uint16_t most_passed = 32;   ///< commands that may pass one of them

  static constexpr uint16_t kMostSlots = 256;
};

class DiskDriver {
 public:
  DiskDriver(const DiskDriver&) = delete;
  DiskDriver& operator=(const DiskDriver&) = delete;

  /// Hands a command to the device. Nothing is held; one call at a time, and none while reset()
  /// runs. Any context but NMI, preemption off: never waits. The command may complete before this
  /// returns. An error: the device has not got it and never will, and its requests fail so.
  virtual Result<> start(const DiskCommand& command) = 0;

  /// Stops all that is under way. What the device has answered stays done, durable or not as it
  /// was. Once it has returned, the device touches no memory of earlier commands. Completions of
  /// them do not count from the moment that it is called, and may come at any time. Task context,
  /// may wait, but must come back. An error: the device is beyond help, and the queue treats it as
  /// gone.
  virtual Result<> reset() = 0;

 protected:
  constexpr DiskDriver() = default;
  ~DiskDriver() = default;
};

} // namespace clay
