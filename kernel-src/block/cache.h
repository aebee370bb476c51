#pragma once
// Blocks of a device kept in memory, written back in stages.
//
//   BlockRef block = CLAY_TRY(cache.read(number));     // waits; pinned while the reference lives
//   ... block.bytes() ...
//   {
//     BlockEdit edit = CLAY_TRY(block.edit(stage));      // waits; nobody else edits it meanwhile
//     edit.bytes()[12] = 1;
//   }                                                  // dirty from here on
//   CLAY_TRY(cache.sync());
//
// Stages are the order that a filesystem needs: nothing that is dirty in stage n + 1 reaches the
// device before all that was dirty in stage n is durable. Between two stages, and after the last
// one, the cache flushes the device, if it has written anything. A block that is dirty in one stage
// and edited in another is written first, with everything of the stages up to its own.
//
// Errors. A block whose write failed stays dirty: it is not lost and not forgotten. Every caller of
// sync() whose data is concerned hears of it: a sync that returns success has made durable all that
// was dirty when it was called, also what an earlier one failed to write.

#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/task/heap.h"

namespace clay {

inline constexpr unsigned kBlockStages = 4;

class BlockCache;
class CacheBlock; ///< opaque: cache_block.h

/// A block that is edited: exclusively, until the edit ends.
class [[nodiscard]] BlockEdit {
 public:
  BlockEdit(BlockEdit&& other) noexcept;
  BlockEdit& operator=(BlockEdit&&) = delete;
  ~BlockEdit();
  MutableBytes bytes() const;

 private:
  friend class BlockRef;
  explicit BlockEdit(CacheBlock& block) : block_(&block) {}
  CacheBlock* block_;
};

/// A block that stays in memory. Reading its bytes while somebody edits it is up to the caller's
/// locks.
class BlockRef {
 public:
  BlockRef() = default;
  BlockRef(BlockRef&& other) noexcept;
  BlockRef& operator=(BlockRef&& other) noexcept;
  ~BlockRef(); ///< any task context; does not wait

  explicit operator bool() const { return block_ != nullptr; }
  uint64_t number() const;
  Bytes bytes() const;
  /// Begins to edit it in `stage`, below kBlockStages. Waits: for the edit of somebody else, for
  /// the block being written, for its own older stage to be written (an error of that is returned
  /// and the block is as it was).
  Result<BlockEdit> edit(unsigned stage) const;

 private:
  friend class BlockCache;
  explicit BlockRef(CacheBlock& block) : block_(&block) {}
  CacheBlock* block_ = nullptr;
};

class BlockCache {
 public:
  /// `block_bytes`: a multiple of the device's sectors; `capacity`: blocks kept at most, at
  /// least 8. Blocks behind the device's last whole one do not exist.
  static Result<Box<BlockCache>> create(BlockDevice& device, uint32_t block_bytes,
                                        uint32_t capacity);
  /// Nothing is pinned and nothing is edited. What is dirty is dropped: sync() first.
  ~BlockCache();

  BlockDevice& device() const;
  uint32_t block_bytes() const;
  uint64_t blocks() const;

  // --- Task context, nothing held that forbids waiting

  /// The block, read from the device if it is not here. kOutOfRange when there is no such block;
  /// kIo, kTimedOut, kNoDevice of the device, and nothing is kept then; kNoMemory; kBusy when all
  /// that the cache may keep is pinned or cannot be written.
  Result<BlockRef> read(uint64_t number);
  /// The block with zeros for contents, without a look at the device: it has just been allocated.
  /// It is dirty in `stage` from now on.
  Result<BlockRef> fresh(uint64_t number, unsigned stage);
  /// The block has been freed: what is dirty of it need not be written any more. Nobody edits it.
  void forget(uint64_t number);
  /// Everything that is dirty in the stages up to `last` becomes durable. See "Errors".
  Result<> sync(unsigned last = kBlockStages - 1);

  /// Dirty blocks, for callers that limit them. Any context.
  uint32_t dirty() const;

 private:
  struct State;
  explicit BlockCache(Box<State> state);
  Box<State> state_;
  friend class BlockRef;
  friend class BlockEdit;
};

} // namespace clay
