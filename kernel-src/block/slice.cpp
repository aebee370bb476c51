#include "kernel-src/block/slice.h"

#include "kernel-src/lib/checked.h"

namespace clay {

Result<Box<BlockSlice>> BlockSlice::create(BlockDevice& whole, uint64_t first, uint64_t sectors) {
  if (!range_within(first, sectors, whole.shape().sectors)) {
    return Error::kOutOfRange;
  }
  BlockShape shape = whole.shape();
  shape.sectors = sectors;
  return make_box<BlockSlice>(kHalAllocMayWait, whole, first, shape);
}

void BlockSlice::submit(BlockIo& io) {
  if (const Result<> sound = check_io(shape(), io); !sound.ok()) {
    return finish_io(io, sound);
  }
  // No sum that wraps: the sectors of the slice lie inside the whole. finish_io() takes it back.
  if (io.op != BlockOp::kFlush) {
    io.sector += first_;
    io.progress.shift += first_;
  }
  whole_.submit(io);
}

} // namespace clay
