// What is written, and when: stage by stage, with a flush behind each.

#include <algorithm>
#include <utility>

#include "kernel-src/block/cache_core.h"

namespace clay {

/// Starts to write `sectors` of each block in the batch, from the sector `from` of the block on.
void CacheCore::start_writes(Blocks& batch, uint32_t from, uint32_t sectors, WaitGroup& under_way) {
  const uint32_t sector_bytes = device_.shape().sector_bytes;
  for (CacheBlock& block : batch) {
    BlockIo& io = block.io;
    uint8_t* const contents = block.before != nullptr ? block.before : block.data;
    io.op = BlockOp::kWrite;
    io.sector = sector_of(block) + from;
    io.sectors = sectors;
    io.data = contents + size_t{from} * sector_bytes;
    io.done = [](BlockIo& done, Result<> result) {
      auto& written = *container_of(&done, &CacheBlock::io);
      if (!result.ok()) {
        written.written = result;
      }
      static_cast<WaitGroup*>(done.arg)->done();
    };
    io.arg = &under_way;
    device_.submit(io);
  }
}

/// Writes the blocks of the batch, all at once; gives the first error. Then they are `written`
/// or, if they could not be written or have been changed meanwhile, dirty.
Result<> CacheCore::write_batch(Blocks& batch, unsigned stage) {
  const uint32_t most = device_.shape().most_sectors;
  for (uint32_t from = 0; from < block_sectors_;) {
    const uint32_t sectors = std::min(most, block_sectors_ - from);
    WaitGroup under_way("blocks");
    under_way.add(static_cast<uint32_t>(batch.count()));
    start_writes(batch, from, sectors, under_way);
    under_way.wait();
    from += sectors;
  }
  Result<> first;
  IrqSpinGuard guard(lock_);
  while (CacheBlock* const block = batch.pop_front()) {
    const Result<> result = std::exchange(block->written, Result<>());
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
  while (CacheBlock* const block = written_[stage].pop_front()) {
    if (flushed.ok()) {
      set_clean(*block);
    } else {
      block->place = Place::kDirty;
      dirty_[stage].push_back(*block);
    }
  }
  return flushed;
}

/// Makes durable what is dirty in the lowest stage that has anything. Blocks that can be written
/// become durable even if another one cannot.
Result<> CacheCore::write_stage(unsigned stage) {
  Blocks batch;
  {
    IrqSpinGuard guard(lock_);
    batch.append_all(dirty_[stage]);
    for (CacheBlock& block : batch) {
      block.place = Place::kBatch;
    }
  }
  const Result<> written = batch.empty() ? Result<>() : write_batch(batch, stage);
  bool to_flush = false;
  {
    IrqSpinGuard guard(lock_);
    to_flush = !written_[stage].empty();
  }
  const Result<> flushed = to_flush ? flush(stage) : Result<>();
  return written.ok() ? flushed : written;
}

Result<> CacheCore::commit(unsigned last) {
  CLAY_ASSERT(last < kBlockStages);
  // Others may go on to make blocks dirty in low stages; after so many rounds they have to wait.
  constexpr unsigned kRoundsBeforeBarrier = 2 * kBlockStages;
  MutexGuard committing(commit_lock_);
  Result<> result;
  for (unsigned round = 0; result.ok(); ++round) {
    unsigned stage = 0;
    {
      IrqSpinGuard guard(lock_);
      stage = lowest_stage();
      barrier_ = round >= kRoundsBeforeBarrier;
    }
    if (stage > last) {
      break;
    }
    result = write_stage(stage);
  }
  IrqSpinGuard guard(lock_);
  barrier_ = false;
  barrier_waiters_.grant_all();
  return result;
}

/// Writes until there is an idle block; false when that cannot be.
bool CacheCore::make_room() {
  MutexGuard committing(commit_lock_);
  for (;;) {
    unsigned stage = 0;
    {
      IrqSpinGuard guard(lock_);
      if (!idle_.empty()) {
        return true;
      }
      stage = lowest_stage();
    }
    if (stage == kBlockStages) {
      return false;
    }
    if (!write_stage(stage).ok()) {
      IrqSpinGuard guard(lock_);
      return !idle_.empty();
    }
  }
}

} // namespace clay
