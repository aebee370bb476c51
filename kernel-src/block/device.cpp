// What all block devices share: checks of what is asked of them, and waiting for an answer.

#include "kernel-src/block/device.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/sync/completion.h"

namespace clay {
namespace {

/// A request whose submitter waits; on its stack.
struct Waiting {
  Completion done{"disk request"};
  Result<> result;
};

void wake_submitter(BlockIo& io, Result<> result) {
  auto& waiting = *static_cast<Waiting*>(io.arg);
  waiting.result = result;
  waiting.done.complete(); // and `waiting` may be gone
}

bool changes(BlockOp op) { return op == BlockOp::kWrite || op == BlockOp::kDiscard; }

Result<> check_range(const BlockShape& shape, const BlockIo& io) {
  if (io.sectors == 0) {
    return Error::kInvalid;
  }
  if (!range_within(io.sector, io.sectors, shape.sectors)) {
    return Error::kOutOfRange;
  }
  if (io.op == BlockOp::kDiscard) {
    return io.data == nullptr ? Result<>() : Error::kInvalid;
  }
  if (io.data == nullptr) {
    return Error::kInvalid;
  }
  return checked_mul<size_t>(io.sectors, shape.sector_bytes).ok() ? Result<>() : Error::kOutOfRange;
}

} // namespace

void finish_io(BlockIo& io, Result<> result) {
  io.sector -= io.progress.shift;
  io.progress.shift = 0;
  io.done(io, result);
}

Result<> check_shape(const BlockShape& shape) {
  const bool sound = shape.sector_bytes >= 512 && shape.sector_bytes <= 65536 &&
                     shape.sector_bytes % 4 == 0 && shape.physical_bytes >= shape.sector_bytes &&
                     shape.physical_bytes % shape.sector_bytes == 0 && shape.most_sectors >= 1 &&
                     shape.most_segments >= 1;
  return sound ? Result<>() : Error::kInvalid;
}

Result<> check_io(const BlockShape& shape, const BlockIo& io) {
  if (io.op != BlockOp::kWrite && (io.durable || io.flush_first)) {
    return Error::kInvalid;
  }
  if (io.op == BlockOp::kFlush) {
    return {};
  }
  if (changes(io.op) && shape.read_only) {
    return Error::kReadOnly;
  }
  if (io.op == BlockOp::kDiscard && !shape.has_discard) {
    return Error::kUnsupported;
  }
  return check_range(shape, io);
}

Result<> BlockDevice::run(BlockOp op, uint64_t sector, uint8_t* data, size_t bytes, bool durable) {
  if (op != BlockOp::kFlush && bytes % shape_.sector_bytes != 0) {
    return Error::kInvalid;
  }
  Waiting waiting;
  BlockIo io;
  io.op = op;
  io.durable = durable;
  io.sector = sector;
  io.sectors = bytes / shape_.sector_bytes;
  io.data = data;
  io.done = wake_submitter;
  io.arg = &waiting;
  submit(io);
  waiting.done.wait();
  return waiting.result;
}

} // namespace clay
