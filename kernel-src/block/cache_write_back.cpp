// What is written, and when: stage by stage, with a flush behind each.

#include <utility>

#include "kernel-src/block/cache_core.h"

namespace clay {

/// Starts to write the blocks of the batch, all at once.
void CacheCore::start_writes(Blocks& batch, WaitGroup& under_way) {
  for (CacheBlock& block : batch) {
    BlockIo& io = block.io;
    io.op = BlockOp::kWrite;
    io.sector = sector_of(block);
    io.sectors = block_sectors_;
    io.data = block.before != nullptr ? block.before : block.data; // as long as it is in the batch
    io.done = [](BlockIo& done, Result<> result) {
      container_of(&done, &CacheBlock::io)->written = result;
      static_cast<WaitGroup*>(done.arg)->done();
    };
    io.arg = &under_way;
    device_.submit(io);
  }
}

/// Writes the blocks of the batch; gives the first error. Then they are `written` or, if they could
/// not be written or have been changed meanwhile, dirty.
Result<> CacheCore::write_batch(Blocks& batch, unsigned stage) {
  WaitGroup under_way("blocks");
  under_way.add(static_cast<uint32_t>(batch.count()));
  start_writes(batch, under_way);
  under_way.wait();
  Result<> first;
  IrqSpinGuard guard(lock_);
  while (CacheBlock* const block = batch.pop_front()) {
    const Result<> result = block->written;
    if (!result.ok() && first.ok()) {
      first = result;
    }
    const bool clean = result.ok() && !block->changed;
    block->changed = false;
    block->place = clean ? Place::kWritten : Place::kDirty;
    (clean ? written_ : dirty_)[stage].push_back(*block);
    if (!block->editing) {
      keep_copy(std::exchange(block->before, nullptr));
    }
    block->waiters.grant_all();
  }
  return first;
}

/// Makes durable what has been written in this stage, or has it written again.
Result<> CacheCore::flush(unsigned stage) {
  const Result<> flushed = device_.flush();
  IrqSpinGuard guard(lock_);
  for (unsigned done = 0; CacheBlock* const block = written_[stage].pop_front();) {
    if (flushed.ok()) {
      set_clean(*block);
    } else {
      block->place = Place::kDirty;
      dirty_[stage].push_back(*block);
    }
    if (++done % kBatch == 0) { // let interrupts in
      guard.unlock();
      guard.lock();
    }
  }
  return flushed;
}

/// Takes the next blocks of `from` to be written at once; false when there are none.
bool CacheCore::take_batch(Blocks& from, Blocks& batch) {
  IrqSpinGuard guard(lock_);
  for (unsigned taken = 0; taken < kBatch && !from.empty(); ++taken) {
    CacheBlock& block = *from.pop_front();
    block.place = Place::kBatch;
    batch.push_back(block);
  }
  return !batch.empty();
}

/// Makes durable what is dirty in this stage, the lowest that has anything. Blocks that can be
/// written become durable even if another one cannot.
Result<> CacheCore::write_stage(unsigned stage) {
  Blocks dirty; // guarded by lock_ too: edits and forget() know only that they are in a list
  Blocks batch;
  {
    IrqSpinGuard guard(lock_);
    dirty.append_all(dirty_[stage]);
  }
  Result<> first;
  while (take_batch(dirty, batch)) {
    const Result<> written = write_batch(batch, stage);
    if (first.ok()) {
      first = written;
    }
  }
  bool to_flush = false;
  {
    IrqSpinGuard guard(lock_);
    to_flush = !written_[stage].empty();
  }
  const Result<> flushed = to_flush ? flush(stage) : Result<>();
  return first.ok() ? flushed : first;
}

/// Writes, lowest stage first, until `enough(lowest)` says so of the lowest stage that is not
/// durable (kBlockStages: none), or something fails.
template <typename Enough> Result<> CacheCore::write_until(Enough enough) {
  MutexGuard committing(commit_lock_);
  Result<> result;
  for (unsigned round = 0; result.ok(); ++round) {
    unsigned stage = 0;
    {
      IrqSpinGuard guard(lock_);
      stage = lowest_stage();
      if (enough(stage)) {
        break;
      }
      // Others may go on and on to make blocks dirty in low stages: now they have to wait.
      barrier_ = round >= kBlockStages;
    }
    result = write_stage(stage);
  }
  IrqSpinGuard guard(lock_);
  barrier_ = false;
  barrier_waiters_.grant_all();
  return result;
}

Result<> CacheCore::commit(unsigned last) {
  CLAY_ASSERT(last < kBlockStages);
  return write_until([last](unsigned lowest) { return lowest > last; });
}

/// Writes until there is an idle block; false when that cannot be.
bool CacheCore::make_room() {
  const Result<> written =
      write_until([this](unsigned lowest) { return !idle_.empty() || lowest == kBlockStages; });
  IrqSpinGuard guard(lock_);
  return written.ok() ? loose_dirty_ != 0 || !idle_.empty() : !idle_.empty();
}

} // namespace clay
