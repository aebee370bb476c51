#pragma once
// The inside of a BlockCache: which blocks there are, who uses them, what is to be written.
//
// A block is in one of five places, by its `link`:
//
//   nowhere     clean, and pinned
//   idle        clean, and not pinned: may be used for another number, the longest idle one first
//   dirty       to be written, in the order in which it became so; one list a stage
//   batch       of the dirty ones, those that are being written now
//   written     written, and not known to be durable; one list a stage
//   spare       memory without a number
//
// Only one task at a time writes (`commit_lock_`). It takes the lowest stage that is not durable,
// writes all of it at once and flushes; so nothing of a higher stage is ever on its way to the
// device while something lower is not durable.
//
// An edit of a block that is dirty or written keeps a copy of what it was before, since that may
// have to be written while the edit is open.

#include <atomic>
#include <stdint.h>

#include "kernel-src/block/cache.h"
#include "kernel-src/lib/hash_table.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/wait_group.h"
#include "kernel-src/sync/wait_queue.h"

namespace clay {

class CacheCore;

/// Guarded by the core's lock, but for the contents.
struct CacheBlock {
  enum class Place : uint8_t { kNowhere, kIdle, kDirty, kBatch, kWritten, kSpare };

  CacheBlock(CacheCore& owner, uint8_t* memory) : core(owner), data(memory) {}
  ~CacheBlock() {
    hal_free(data);
    hal_free(before);
  }

  bool is_dirty() const {
    return place == Place::kDirty || place == Place::kBatch || place == Place::kWritten;
  }

  CacheCore& core;
  uint8_t* const data;
  uint8_t* before = nullptr; ///< what was there before the edit that is open, or null
  uint64_t number = 0;
  HashLink by_number;
  ListLink link;
  WaitQueue waiters; ///< for any change of what follows
  uint32_t pins = 0;
  Place place = Place::kSpare;
  uint8_t stage = 0;        ///< in which it is dirty
  uint8_t edit_stage = 0;   ///< in which it will be
  bool reading = false;     ///< whoever pins it waits
  bool unread = false;      ///< it could not be read; out of the table
  bool claimed = false;     ///< somebody edits it, or is about to
  bool editing = false;     ///< its contents change
  bool changed = false;     ///< an edit ended while it was in the batch
  Error error = Error::kIo; ///< of an unread one
  BlockIo io;               ///< in the batch
  Result<> written;         ///< set by `io`, before the batch is done
};

class CacheCore {
 public:
  CacheCore(BlockDevice& device, uint32_t block_bytes, uint32_t capacity);
  ~CacheCore();

  BlockDevice& device() const { return device_; }
  uint32_t block_bytes() const { return block_bytes_; }
  uint64_t blocks() const { return blocks_; }
  // Relaxed: a hint.
  uint32_t dirty() const { return dirty_count_.load(std::memory_order_relaxed); }

  /// Both give the block with a pin for the caller.
  Result<CacheBlock*> read(uint64_t number);
  Result<CacheBlock*> fresh(uint64_t number, unsigned stage);
  void unpin(CacheBlock& block);
  void forget(uint64_t number);

  Result<> begin_edit(CacheBlock& block, unsigned stage);
  void end_edit(CacheBlock& block);

  Result<> commit(unsigned last);

 private:
  using Place = CacheBlock::Place;
  using Blocks = List<CacheBlock, &CacheBlock::link>;

  static constexpr unsigned kBatch = 64; ///< blocks written at once, or gone over with lock_ held

  // With lock_ held; those with a guard let it go for a while.
  void pin(CacheBlock& block);
  void drop_pin(CacheBlock& block);
  void insert(CacheBlock& block, uint64_t number);
  void discard(CacheBlock& block);
  void set_dirty(CacheBlock& block, unsigned stage);
  void set_clean(CacheBlock& block);
  void wait(IrqSpinGuard& guard, CacheBlock& block, const char* what);
  void wait_for_barrier(IrqSpinGuard& guard);
  bool wait_until_read(IrqSpinGuard& guard, CacheBlock& block);
  Result<CacheBlock*> take_spare(IrqSpinGuard& guard);
  CacheBlock* evict();
  Result<bool> wait_until_free(IrqSpinGuard& guard, CacheBlock& block, unsigned stage);
  Result<> prepare_edit(IrqSpinGuard& guard, CacheBlock& block, unsigned stage);
  void keep_copy(uint8_t* copy);
  unsigned lowest_stage() const;

  CacheBlock* allocate();
  uint64_t sector_of(const CacheBlock& block) const { return block.number * block_sectors_; }

  // With commit_lock_ held.
  Result<> write_stage(unsigned stage);
  bool take_batch(Blocks& from, Blocks& batch);
  Result<> write_batch(Blocks& batch, unsigned stage);
  void start_writes(Blocks& batch, WaitGroup& under_way);
  template <typename Enough> Result<> write_until(Enough enough);
  Result<> flush(unsigned stage);
  bool make_room();

  BlockDevice& device_;
  const uint32_t block_bytes_;
  const uint32_t block_sectors_;
  const uint32_t capacity_;
  const uint64_t blocks_;

  Mutex commit_lock_;
  IrqSpinLock lock_; ///< guards what follows
  HashTable<CacheBlock, &CacheBlock::by_number, &CacheBlock::number> table_;
  Blocks spare_;
  Blocks idle_;
  Blocks dirty_[kBlockStages];
  Blocks written_[kBlockStages];
  uint32_t made_ = 0;        ///< blocks that have memory, or are about to
  uint32_t loose_dirty_ = 0; ///< dirty and not pinned
  std::atomic<uint32_t> dirty_count_{0};
  uint8_t* spare_copy_ = nullptr; ///< memory for `before`
  bool barrier_ = false;          ///< no edit begins
  WaitQueue barrier_waiters_;
};

} // namespace clay
