#include "targets/block/direct_device.h"

#include <algorithm>

namespace kiln::block {
namespace {

using clay::BlockIo;
using clay::BlockOp;
using clay::Error;
using clay::Result;
using worlds::DiskAnswer;
using worlds::DiskCommand;
using worlds::DiskOp;

} // namespace

DiskOp op_of(BlockOp op) {
  switch (op) {
  case BlockOp::kRead:
    return DiskOp::kRead;
  case BlockOp::kWrite:
    return DiskOp::kWrite;
  case BlockOp::kFlush:
    return DiskOp::kFlush;
  case BlockOp::kDiscard:
    return DiskOp::kDiscard;
  }
  return DiskOp::kRead;
}

clay::BlockShape shape_of(const worlds::DiskShape& disk) {
  clay::BlockShape shape;
  shape.sectors = disk.sectors;
  shape.sector_bytes = disk.sector_bytes;
  shape.physical_bytes = disk.physical_bytes;
  shape.most_sectors = disk.most_sectors;
  shape.most_segments = disk.most_segments;
  shape.volatile_cache = disk.volatile_cache;
  shape.has_durable_write = disk.has_durable_write;
  shape.has_discard = disk.has_discard;
  shape.read_only = disk.read_only;
  return shape;
}

Result<> result_of(DiskAnswer answer) {
  switch (answer) {
  case DiskAnswer::kOk:
    return {};
  case DiskAnswer::kGone:
    return Error::kNoDevice;
  case DiskAnswer::kError:
  case DiskAnswer::kOutOfRange:
  case DiskAnswer::kUnsupported:
    break;
  }
  return Error::kIo;
}

void DirectDevice::submit(BlockIo& io) {
  ++requests_;
  const Result<> sound = clay::check_io(shape(), io);
  clay::finish_io(io, sound.ok() ? carry_out(io) : sound);
}

// One command of a request. A disk that says that it moved less has failed.
Result<> DirectDevice::command(DiskCommand what, uint8_t* data) {
  const bool moves = what.op == DiskOp::kRead || what.op == DiskOp::kWrite;
  const uint64_t bytes = moves ? what.sectors * shape().sector_bytes : 0;
  const DiskAnswer answer = disk_.perform(what, {data, bytes});
  const bool is_short = what.op != DiskOp::kFlush && disk_.moved() != what.sectors;
  return answer == DiskAnswer::kOk && is_short ? Result<>(Error::kIo) : result_of(answer);
}

Result<> DirectDevice::carry_out(const BlockIo& io) {
  DiskCommand what;
  what.op = op_of(io.op);
  if (io.op == BlockOp::kFlush) return command(what, nullptr);
  const bool flush_after = io.durable && !shape().has_durable_write;
  what.durable = io.durable && !flush_after;
  what.flush_first = io.flush_first;
  for (uint64_t done = 0; done < io.sectors; done += what.sectors) {
    what.sector = io.sector + done;
    what.sectors = std::min(io.sectors - done, most_sectors_);
    uint8_t* data = io.data == nullptr ? nullptr : io.data + done * shape().sector_bytes;
    CLAY_TRY(command(what, data));
    what.flush_first = false;
  }
  DiskCommand flush;
  flush.op = DiskOp::kFlush;
  return flush_after ? command(flush, nullptr) : Result<>();
}

} // namespace kiln::block
