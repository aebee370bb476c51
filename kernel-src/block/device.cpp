// Requests of block devices checked, and waited for.

#include "kernel-src/block/device.h"

#include "kernel-src/sync/completion.h"

namespace clay {

Result<> check_shape(const BlockShape& shape) {
  const bool sector_fits =
      shape.sector_bytes >= 512 && shape.sector_bytes <= 65536 && shape.sector_bytes % 4 == 0;
  if (!sector_fits || shape.physical_bytes == 0 || shape.physical_bytes % shape.sector_bytes != 0 ||
      shape.most_sectors == 0 || shape.most_segments == 0) {
    return Error::kInvalid;
  }
  return {};
}

Result<> check_io(const BlockShape& shape, const BlockIo& io) {
  if (io.op == BlockOp::kFlush) {
    return {};
  }
  if (io.sectors == 0) {
    return Error::kInvalid;
  }
  if (io.sectors > shape.sectors || io.sector > shape.sectors - io.sectors) {
    return Error::kOutOfRange;
  }
  if (io.op != BlockOp::kRead && shape.read_only) {
    return Error::kReadOnly;
  }
  if (io.op == BlockOp::kDiscard && !shape.has_discard) {
    return Error::kUnsupported;
  }
  return {};
}

Result<> BlockDevice::run(BlockOp op, uint64_t sector, uint8_t* data, size_t bytes, bool durable) {
  if (bytes % shape_.sector_bytes != 0) {
    return Error::kInvalid;
  }
  struct Wait {
    Completion done{"block request"};
    Result<> result;
  };
  Wait wait;
  BlockIo io;
  io.op = op;
  io.sector = sector;
  io.sectors = bytes / shape_.sector_bytes;
  io.data = data;
  io.durable = durable;
  io.arg = &wait;
  io.done = [](BlockIo& done, Result<> result) {
    auto& waits = *static_cast<Wait*>(done.arg);
    waits.result = result;
    waits.done.complete();
  };
  submit(io);
  wait.done.wait();
  return wait.result;
}

} // namespace clay
