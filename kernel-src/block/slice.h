#pragma once
// A part of a device as a device of its own: a partition.

#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/task/heap.h"

namespace clay {

class BlockSlice final : public BlockDevice {
 public:
  /// `sectors` of `whole` from `first` on. kOutOfRange when they do not lie inside; kNoMemory.
  /// `whole` outlives the slice. May wait.
  static Result<Box<BlockSlice>> create(BlockDevice& whole, uint64_t first, uint64_t sectors);

  BlockSlice(BlockDevice& whole, uint64_t first, const BlockShape& shape)
      : BlockDevice(shape), whole_(whole), first_(first) {}

  void submit(BlockIo& io) override;

 private:
  BlockDevice& whole_;
  const uint64_t first_;
};

} // namespace clay
