// What users of a cache hold: the cache, references, edits.

#include "kernel-src/block/cache.h"

#include <bit>
#include <utility>

#include "kernel-src/block/cache_core.h"

namespace clay {

// --- BlockCache

Result<Box<BlockCache>> BlockCache::create(BlockDevice& device, uint32_t block_bytes,
                                           uint32_t capacity) {
  constexpr uint32_t kSmallest = 512;
  constexpr uint32_t kLargest = 65536;
  constexpr uint32_t kFewest = 8;
  if (!std::has_single_bit(block_bytes) || block_bytes < kSmallest || block_bytes > kLargest ||
      capacity < kFewest) {
    return Error::kInvalid;
  }
  if (block_bytes % device.shape().sector_bytes != 0) {
    return Error::kUnsupported;
  }
  Box<CacheCore> core =
      CLAY_TRY(make_box<CacheCore>(kHalAllocMayWait, device, block_bytes, capacity));
  return make_box<BlockCache>(kHalAllocMayWait, std::move(core));
}

BlockCache::BlockCache(Box<CacheCore> core) : core_(std::move(core)) {}
BlockCache::~BlockCache() = default;

BlockDevice& BlockCache::device() const { return core_->device(); }
uint32_t BlockCache::block_bytes() const { return core_->block_bytes(); }
uint64_t BlockCache::blocks() const { return core_->blocks(); }
uint32_t BlockCache::dirty() const { return core_->dirty(); }

Result<BlockRef> BlockCache::find_or_read(uint64_t number) {
  return BlockRef(*CLAY_TRY(core_->read(number)));
}

Result<BlockRef> BlockCache::make_fresh(uint64_t number, unsigned stage) {
  return BlockRef(*CLAY_TRY(core_->fresh(number, stage)));
}

void BlockCache::drop(uint64_t number) { core_->forget(number); }
Result<> BlockCache::commit(unsigned last) { return core_->commit(last); }

// --- BlockRef

BlockRef::BlockRef(BlockRef&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}

BlockRef& BlockRef::operator=(BlockRef&& other) noexcept {
  if (this != &other) {
    CacheBlock* const old = std::exchange(block_, std::exchange(other.block_, nullptr));
    if (old != nullptr) {
      old->core.unpin(*old);
    }
  }
  return *this;
}

BlockRef::~BlockRef() {
  if (block_ != nullptr) {
    block_->core.unpin(*block_);
  }
}

uint64_t BlockRef::number() const { return block_->number; }
Bytes BlockRef::bytes() const { return Bytes(block_->data, block_->core.block_bytes()); }

Result<BlockEdit> BlockRef::begin_edit(unsigned stage) const {
  CLAY_TRY(block_->core.begin_edit(*block_, stage));
  return BlockEdit(*block_);
}

// --- BlockEdit

BlockEdit::BlockEdit(BlockEdit&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}

BlockEdit::~BlockEdit() {
  if (block_ != nullptr) {
    block_->core.end_edit(*block_);
  }
}

MutableBytes BlockEdit::bytes() const {
  return MutableBytes(block_->data, block_->core.block_bytes());
}

} // namespace clay
