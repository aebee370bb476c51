// Which blocks there are: reading, pins, eviction, edits.

#include "kernel-src/block/cache_core.h"

#include <string.h>
#include <utility>

namespace clay {

namespace {

constinit LockClass commit_class{"block-commit"};
constinit LockClass cache_class{"block-cache"};

} // namespace

CacheCore::CacheCore(BlockDevice& device, uint32_t block_bytes, uint32_t capacity)
    : device_(device), block_bytes_(block_bytes),
      block_sectors_(block_bytes / device.shape().sector_bytes), capacity_(capacity),
      blocks_(device.shape().sectors / block_sectors_), commit_lock_(commit_class),
      lock_(cache_class) {}

CacheCore::~CacheCore() {
  table_.for_each([this](CacheBlock& block) {
    CLAY_ASSERT(block.pins == 0);
    table_.remove(block);
    block.link.unlink();
    heap_delete(&block);
  });
  while (CacheBlock* const block = spare_.pop_front()) {
    heap_delete(block);
  }
  hal_free(spare_copy_);
}

// --- Pins

void CacheCore::pin(CacheBlock& block) {
  if (block.pins++ != 0) {
    return;
  }
  if (block.place == Place::kIdle) {
    block.link.unlink();
    block.place = Place::kNowhere;
  } else if (block.is_dirty()) {
    --loose_dirty_;
  }
}

void CacheCore::drop_pin(CacheBlock& block) {
  CLAY_ASSERT(block.pins != 0);
  if (--block.pins != 0) {
    return;
  }
  if (block.unread) {
    block.unread = false;
    discard(block);
  } else if (block.is_dirty()) {
    ++loose_dirty_;
  } else {
    block.place = Place::kIdle;
    idle_.push_back(block);
  }
}

void CacheCore::unpin(CacheBlock& block) {
  IrqSpinGuard guard(lock_);
  drop_pin(block);
}

// --- Dirty and clean

/// The block is pinned, and not in the batch.
void CacheCore::set_dirty(CacheBlock& block, unsigned stage) {
  if (block.place == Place::kDirty) {
    return; // in this stage: prepare_edit() has seen to that
  }
  if (block.place == Place::kWritten) {
    block.link.unlink();
  } else {
    dirty_count_.fetch_add(1, std::memory_order_relaxed);
  }
  block.place = Place::kDirty;
  block.stage = static_cast<uint8_t>(stage);
  dirty_[stage].push_back(block);
}

/// It is written or dirty, and in no list any more.
void CacheCore::set_clean(CacheBlock& block) {
  dirty_count_.fetch_sub(1, std::memory_order_relaxed);
  if (block.pins != 0) {
    block.place = Place::kNowhere;
    return;
  }
  --loose_dirty_;
  block.place = Place::kIdle;
  idle_.push_back(block);
}

unsigned CacheCore::lowest_stage() const {
  unsigned stage = 0;
  while (stage < kBlockStages && dirty_[stage].empty() && written_[stage].empty()) {
    ++stage;
  }
  return stage;
}

// --- Memory for blocks

CacheBlock* CacheCore::allocate() {
  auto* const data = static_cast<uint8_t*>(hal_alloc(block_bytes_, 64, kHalAllocMayWait));
  if (data == nullptr) {
    return nullptr;
  }
  CacheBlock* const block = heap_new<CacheBlock>(kHalAllocMayWait, *this, data);
  if (block == nullptr) {
    hal_free(data);
  }
  return block;
}

/// Takes the longest idle block out; null when there is none.
CacheBlock* CacheCore::evict() {
  CacheBlock* const block = idle_.pop_front();
  if (block != nullptr) {
    table_.remove(*block);
    block->place = Place::kSpare;
  }
  return block;
}

/// A block without a number, in no list.
Result<CacheBlock*> CacheCore::take_spare(IrqSpinGuard& guard) {
  for (;;) {
    if (CacheBlock* const block = spare_.pop_front()) {
      return block;
    }
    if (made_ < capacity_) {
      ++made_;
      guard.unlock();
      CacheBlock* const block = allocate();
      guard.lock();
      if (block != nullptr) {
        return block;
      }
      --made_;
      if (idle_.empty()) {
        return Error::kNoMemory;
      }
    }
    if (CacheBlock* const block = evict()) {
      return block;
    }
    if (loose_dirty_ == 0) {
      return Error::kBusy;
    }
    guard.unlock();
    const bool made = make_room();
    guard.lock();
    if (!made) {
      return Error::kBusy;
    }
  }
}

void CacheCore::insert(CacheBlock& block, uint64_t number) {
  block.number = number;
  block.place = Place::kNowhere;
  block.pins = 1;
  table_.insert(block);
}

/// It is nobody's, and in no list.
void CacheCore::discard(CacheBlock& block) {
  block.place = Place::kSpare;
  spare_.push_back(block);
}

// --- Reading

void CacheCore::wait(IrqSpinGuard& guard, CacheBlock& block, const char* what) {
  Waiter self;
  const HalWait reason{"block", &block, what, nullptr, nullptr};
  block.waiters.wait(guard, self, reason, kHalNever);
}

/// Pins a block that is in the table. False: it could not be read, and is not pinned.
bool CacheCore::wait_until_read(IrqSpinGuard& guard, CacheBlock& block) {
  pin(block);
  while (block.reading) {
    wait(guard, block, "read");
  }
  return !block.unread;
}

Result<CacheBlock*> CacheCore::read(uint64_t number) {
  if (number >= blocks_) {
    return Error::kOutOfRange;
  }
  CacheBlock* fresh = nullptr;
  IrqSpinGuard guard(lock_);
  for (;;) {
    if (CacheBlock* const block = table_.find(number)) {
      if (fresh != nullptr) {
        discard(*fresh);
      }
      if (!wait_until_read(guard, *block)) {
        const Error error = block->error;
        drop_pin(*block);
        return error;
      }
      return block;
    }
    if (fresh != nullptr) {
      break;
    }
    fresh = CLAY_TRY(take_spare(guard)); // somebody may have brought it meanwhile
  }
  CacheBlock& block = *fresh;
  insert(block, number);
  block.reading = true;
  guard.unlock();
  const Result<> got = device_.read(sector_of(block), MutableBytes(block.data, block_bytes_));
  guard.lock();
  block.reading = false;
  block.waiters.grant_all();
  if (got.ok()) {
    return &block;
  }
  table_.remove(block);
  block.unread = true;
  block.error = got.error();
  const Error error = got.error();
  drop_pin(block);
  return error;
}

// --- Edits

void CacheCore::wait_for_barrier(IrqSpinGuard& guard) {
  while (barrier_) {
    Waiter self;
    const HalWait reason{"block", this, "commit", nullptr, nullptr};
    barrier_waiters_.wait(guard, self, reason, kHalNever);
  }
}

/// Waits until the block, claimed by the caller, may be changed in `stage`: it is not being
/// written, and not dirty in another stage. True: what it holds is dirty, and has to be kept.
Result<bool> CacheCore::wait_until_free(IrqSpinGuard& guard, CacheBlock& block, unsigned stage) {
  for (;;) {
    wait_for_barrier(guard);
    if (block.place == Place::kBatch) {
      wait(guard, block, "written");
    } else if (block.is_dirty() && block.stage != stage) {
      const unsigned older = block.stage;
      guard.unlock();
      const Result<> written = commit(older);
      guard.lock();
      if (!written.ok() && block.is_dirty()) {
        return written.error();
      }
    } else {
      return block.is_dirty();
    }
  }
}

/// Makes a claimed block ready to be changed.
Result<> CacheCore::prepare_edit(IrqSpinGuard& guard, CacheBlock& block, unsigned stage) {
  if (!CLAY_TRY(wait_until_free(guard, block, stage))) {
    return {};
  }
  uint8_t* copy = std::exchange(spare_copy_, nullptr);
  if (copy == nullptr) {
    guard.unlock();
    copy = static_cast<uint8_t*>(hal_alloc(block_bytes_, 64, kHalAllocMayWait));
    guard.lock();
    if (copy == nullptr) {
      return Error::kNoMemory;
    }
    const Result<bool> keep = wait_until_free(guard, block, stage);
    if (!keep.ok() || !keep.value()) {
      keep_copy(copy);
      return keep.ok() ? Result<>() : keep.error();
    }
  }
  memcpy(copy, block.data, block_bytes_);
  block.before = copy;
  return {};
}

/// For the next edit.
void CacheCore::keep_copy(uint8_t* copy) {
  if (spare_copy_ == nullptr) {
    spare_copy_ = copy;
  } else {
    hal_free(copy);
  }
}

Result<> CacheCore::begin_edit(CacheBlock& block, unsigned stage) {
  CLAY_ASSERT(stage < kBlockStages);
  if (device_.shape().read_only) {
    return Error::kReadOnly;
  }
  IrqSpinGuard guard(lock_);
  pin(block);
  while (block.claimed) {
    wait(guard, block, "edit");
  }
  block.claimed = true;
  const Result<> ready = prepare_edit(guard, block, stage);
  if (!ready.ok()) {
    block.claimed = false;
    block.waiters.grant_all();
    drop_pin(block);
    return ready;
  }
  block.editing = true;
  block.edit_stage = static_cast<uint8_t>(stage);
  return {};
}

void CacheCore::end_edit(CacheBlock& block) {
  IrqSpinGuard guard(lock_);
  block.editing = false;
  block.claimed = false;
  if (block.place == Place::kBatch) {
    block.changed = true; // its copy is being written
  } else {
    keep_copy(std::exchange(block.before, nullptr));
    set_dirty(block, block.edit_stage);
  }
  block.waiters.grant_all();
  drop_pin(block);
}

Result<CacheBlock*> CacheCore::fresh(uint64_t number, unsigned stage) {
  CLAY_ASSERT(stage < kBlockStages);
  if (number >= blocks_) {
    return Error::kOutOfRange;
  }
  if (device_.shape().read_only) {
    return Error::kReadOnly;
  }
  CacheBlock* spare = nullptr;
  IrqSpinGuard guard(lock_);
  for (;;) {
    wait_for_barrier(guard);
    if (CacheBlock* const block = table_.find(number)) {
      if (spare != nullptr) {
        discard(*std::exchange(spare, nullptr));
      }
      if (!wait_until_read(guard, *block)) {
        drop_pin(*block);
        continue;
      }
      guard.unlock();
      const Result<> edited = begin_edit(*block, stage);
      if (!edited.ok()) {
        unpin(*block);
        return edited.error();
      }
      memset(block->data, 0, block_bytes_);
      end_edit(*block);
      return block;
    }
    if (spare != nullptr) {
      break;
    }
    spare = CLAY_TRY(take_spare(guard));
    guard.unlock();
    memset(spare->data, 0, block_bytes_);
    guard.lock();
  }
  insert(*spare, number);
  set_dirty(*spare, stage);
  return spare;
}

void CacheCore::forget(uint64_t number) {
  IrqSpinGuard guard(lock_);
  CacheBlock* const block = table_.find(number);
  if (block == nullptr) {
    return;
  }
  pin(*block);
  while (block->reading || block->place == Place::kBatch) {
    wait(guard, *block, "forgotten");
  }
  CLAY_ASSERT(!block->claimed);
  if (block->is_dirty()) {
    block->link.unlink();
    set_clean(*block);
  }
  if (block->pins == 1 && !block->unread) {
    table_.remove(*block);
    block->pins = 0;
    discard(*block);
  } else {
    drop_pin(*block);
  }
}

} // namespace clay
