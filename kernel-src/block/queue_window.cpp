// Order and choice among requests.

#include "kernel-src/block/queue_window.h"

#include "kernel-src/lib/assert.h"

namespace clay {
namespace {

bool changes(const BlockIo& io) { return io.op == BlockOp::kWrite || io.op == BlockOp::kDiscard; }

/// Whether the later of the two must wait for the other. No sum: sectors go up to the last number.
bool conflict(const BlockIo& a, const BlockIo& b) {
  if ((!changes(a) && !changes(b)) || a.op == BlockOp::kFlush || b.op == BlockOp::kFlush) {
    return false;
  }
  return a.sector <= b.sector ? b.sector - a.sector < a.sectors : a.sector - b.sector < b.sectors;
}

} // namespace

void RequestWindow::add(BlockIo& io, RequestPhase phase, uint64_t started) {
  CLAY_ASSERT(!full());
  BlockProgress& progress = io.progress;
  progress.phase = phase;
  progress.born = started;
  progress.started = 0;
  progress.parts = 0;
  progress.blockers = 0;
  progress.failed = false;
  for (const BlockIo& earlier : requests_) {
    progress.blockers += conflict(earlier, io) ? 1 : 0;
  }
  flush_waiters_ += phase == kRequestFlushBefore || phase == kRequestFlushAfter ? 1 : 0;
  requests_.push_back(io);
  ++count_;
}

void RequestWindow::remove(BlockIo& io) {
  for (BlockIo* later = requests_.next(io); later != nullptr; later = requests_.next(*later)) {
    later->progress.blockers -= conflict(io, *later) ? 1 : 0;
  }
  if (io.progress.phase == kRequestFlushBefore || io.progress.phase == kRequestFlushAfter) {
    --flush_waiters_;
  }
  requests_.remove(io);
  --count_;
}

bool RequestWindow::startable(const BlockIo& io) {
  const BlockProgress& progress = io.progress;
  return progress.phase == kRequestTransfer && progress.blockers == 0 && !progress.failed &&
         progress.started < io.sectors;
}

BlockIo* RequestWindow::choose(uint64_t head, uint64_t started) const {
  BlockIo* due = nullptr;
  BlockIo* ahead = nullptr;
  BlockIo* lowest = nullptr;
  for (BlockIo& io : requests_) {
    if (!startable(io)) {
      continue;
    }
    const uint64_t born = io.progress.born;
    if (started - born >= passed_ && (due == nullptr || born < due->progress.born)) {
      due = &io;
    }
    const uint64_t sector = next_sector(io);
    if (sector >= head && (ahead == nullptr || sector < next_sector(*ahead))) {
      ahead = &io;
    }
    if (lowest == nullptr || sector < next_sector(*lowest)) {
      lowest = &io;
    }
  }
  return due != nullptr ? due : ahead != nullptr ? ahead : lowest;
}

BlockIo* RequestWindow::adjacent(const BlockIo& first, uint64_t sector) const {
  for (BlockIo& io : requests_) {
    if (startable(io) && next_sector(io) == sector && io.op == first.op &&
        io.durable == first.durable) {
      return &io;
    }
  }
  return nullptr;
}

void RequestWindow::await_flush_after(BlockIo& io) {
  io.progress.phase = kRequestFlushAfter;
  ++flush_waiters_;
}

void RequestWindow::begin_flush() {
  for (BlockIo& io : requests_) {
    if (io.progress.phase == kRequestFlushAfter) {
      io.progress.phase = kRequestInFlush;
    } else if (io.progress.phase == kRequestFlushBefore) {
      io.progress.phase = kRequestInFlushBefore;
    }
  }
  flush_waiters_ = 0;
}

BlockIo* RequestWindow::end_flush_of_one(bool* before) {
  for (BlockIo& io : requests_) {
    if (io.progress.phase == kRequestInFlush || io.progress.phase == kRequestInFlushBefore) {
      *before = io.progress.phase == kRequestInFlushBefore;
      io.progress.phase = kRequestTransfer;
      return &io;
    }
  }
  return nullptr;
}

} // namespace clay
