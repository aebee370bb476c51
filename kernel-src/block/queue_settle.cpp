// What has become of a command, for each of its requests.

#include "kernel-src/block/queue.h"
#include "kernel-src/lib/assert.h"

namespace clay {

void RequestQueue::settle(CommandSlot& slot, Result<> result, size_t bytes, Finished& finished) {
  if (slot.is_flush()) {
    return settle_flush(slot, result, finished);
  }
  if (!result.ok()) {
    return settle_error(slot, result.error(), finished);
  }
  const DiskCommand& command = slot.command();
  uint64_t done = bytes / shape().sector_bytes;
  if (command.op == BlockOp::kDiscard) {
    done = command.sectors;
  }
  // None at all, or more than there are: nothing that it says can be believed.
  if (done == 0 || done > command.sectors) {
    return settle_error(slot, Error::kIo, finished);
  }
  settle_sectors(slot, static_cast<uint32_t>(done), finished);
}

void RequestQueue::settle_flush(CommandSlot& slot, Result<> result, Finished& finished) {
  slot.give_up();
  flushing_ = false;
  bool before = false;
  while (BlockIo* io = window_.end_flush_of_one(&before)) {
    if (!before || !result.ok()) {
      end_request(*io, result, finished);
    }
  }
}

/// Of several parts it is not known which one failed.
void RequestQueue::settle_error(CommandSlot& slot, Error error, Finished& finished) {
  if (slot.alone()) {
    end_part(slot, error, finished);
  } else {
    slot.begin_again_alone();
  }
}

/// The first `sectors` of the command are done; the rest, if any, is asked for again.
void RequestQueue::settle_sectors(CommandSlot& slot, uint32_t sectors, Finished& finished) {
  while (sectors != 0) {
    const uint32_t part = slot.front().sectors;
    if (sectors < part) {
      return slot.shorten_front(sectors);
    }
    sectors -= part;
    end_part(slot, {}, finished);
  }
}

void RequestQueue::end_part(CommandSlot& slot, Result<> result, Finished& finished) {
  BlockIo& io = *slot.front().io;
  slot.drop_front();
  BlockProgress& progress = io.progress;
  --progress.parts;
  if (!progress.failed) {
    set_result(io, result);
  }
  // Of a request that has failed, nothing more is begun.
  if (progress.parts != 0 || (progress.started < io.sectors && !progress.failed)) {
    return;
  }
  if (!progress.failed && io.durable && shape().volatile_cache && !shape().has_durable_write) {
    return window_.await_flush_after(io);
  }
  end_request(io, result_of(io), finished);
}

void RequestQueue::end_request(BlockIo& io, Result<> result, Finished& finished) {
  window_.remove(io);
  set_result(io, result);
  finished.push_back(io);
  refill();
}

} // namespace clay
