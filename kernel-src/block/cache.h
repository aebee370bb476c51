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
// and edited in another is written first, with everything of the stages up to its own. So an
// operation edits what others depend on first, and ends that edit.
//
// What is written is whole: of a block that is being edited, what it was before the edit. Nothing
// here waits for an edit to end but another edit of the same block, so a task with edits open may
// begin others, read and sync.
//
// Errors. A block whose write failed stays dirty: it is not lost and not forgotten. So does all
// that a flush which failed should have made durable. Every caller of sync() whose data is
// concerned hears of it: a sync that returns success has made durable all that was dirty when it
// was called, also what an earlier one failed to write.

#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/task/heap.h"

namespace clay {

inline constexpr unsigned kBlockStages = 4;

class CacheCore;   ///< opaque: cache_core.h
struct CacheBlock; ///< opaque: cache_core.h

/// A block that is edited: exclusively, until the edit ends. Pins it.
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
  /// and the block is as it was). kNoMemory; kReadOnly when the device is.
  CLAY_INLINE Result<BlockEdit> edit(unsigned stage) const {
    hal_may_wait("block edit");
    return begin_edit(stage);
  }

 private:
  friend class BlockCache;
  explicit BlockRef(CacheBlock& block) : block_(&block) {}
  Result<BlockEdit> begin_edit(unsigned stage) const;
  CacheBlock* block_ = nullptr;
};

class BlockCache {
 public:
  /// `block_bytes`: a power of two in [512, 65536], kInvalid if not, and a multiple of the device's
  /// sectors, kUnsupported if not; `capacity`: blocks kept at most, at least 8. Blocks behind the
  /// device's last whole one do not exist.
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
  CLAY_INLINE Result<BlockRef> read(uint64_t number) {
    hal_may_wait("block read");
    return find_or_read(number);
  }
  /// The block with zeros for contents, without a look at the device: it has just been allocated.
  /// It is dirty in `stage` from now on. Errors of read() and of edit().
  CLAY_INLINE Result<BlockRef> fresh(uint64_t number, unsigned stage) {
    hal_may_wait("block fresh");
    return make_fresh(number, stage);
  }
  /// The block has been freed: what is dirty of it need not be written any more, and is not once
  /// this has returned. Nobody edits it. Who has it pinned still sees its contents.
  CLAY_INLINE void forget(uint64_t number) {
    hal_may_wait("block forget");
    drop(number);
  }
  /// Everything that is dirty in the stages up to `last` becomes durable. See "Errors".
  CLAY_INLINE Result<> sync(unsigned last = kBlockStages - 1) {
    hal_may_wait("block sync");
    return commit(last);
  }

  /// Blocks that are not durable, for callers that limit them. Any context.
  uint32_t dirty() const;

  explicit BlockCache(Box<CacheCore> core); ///< for create()

 private:
  Result<BlockRef> find_or_read(uint64_t number);
  Result<BlockRef> make_fresh(uint64_t number, unsigned stage);
  void drop(uint64_t number);
  Result<> commit(unsigned last);

  Box<CacheCore> core_;
};

} // namespace clay
