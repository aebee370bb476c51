#pragma once
// A block device that is a simulated disk and nothing else: every request is carried out inside
// submit(), by worlds::Disk::perform, without a queue, an interrupt or a wait. For targets whose
// subject is above the queue and that want many inputs a second.
//
// It keeps the promises of kernel-src/block/device.h as far as the disk keeps its own: a request
// that is longer than a command is several, and a write that is to be durable on a disk without FUA
// is followed by a flush.

#include "kernel-src/block/device.h"
#include "worlds/disk/disk.h"

namespace kiln::block {

/// What a disk says of itself, as the kernel has it.
clay::BlockShape shape_of(const worlds::DiskShape& disk);
worlds::DiskOp op_of(clay::BlockOp op);
/// What the kernel hears of an answer.
clay::Result<> result_of(worlds::DiskAnswer answer);

class DirectDevice final : public clay::BlockDevice {
 public:
  /// `disk` outlives it.
  explicit DirectDevice(worlds::Disk& disk)
      : BlockDevice(shape_of(disk.shape())), disk_(disk), most_sectors_(shape().most_sectors) {}

  void submit(clay::BlockIo& io) override;

  /// Requests so far, those that were refused included.
  uint64_t requests() const { return requests_; }

 private:
  clay::Result<> carry_out(const clay::BlockIo& io);
  clay::Result<> command(worlds::DiskCommand what, uint8_t* data);

  worlds::Disk& disk_;
  const uint64_t most_sectors_;
  uint64_t requests_ = 0;
};

} // namespace kiln::block
