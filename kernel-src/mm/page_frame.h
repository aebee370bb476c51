#pragma once
// A page frame: what the kernel knows of one page of physical memory. The frames of a machine lie
// in one array, in memory of their own: nothing about a free page is written into it.
//
// A *block* is 2^order frames in a row whose first number is a multiple of 2^order. Its first frame
// stands for all of it.

#include <atomic>
#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/list.h"

namespace clay {

/// Bytes of a page.
inline constexpr size_t kPageBytes = 4096;
/// Blocks have 2^0 to 2^kMaxOrder pages: 4 KiB to 4 MiB.
inline constexpr unsigned kMaxOrder = 10;

/// A physical address divided by kPageBytes.
using FrameNumber = uint64_t;

class ObjectPool;

enum class FrameState : uint8_t {
  kAbsent = 0, ///< nobody's: in no range that was added
  kInside,     ///< in a block or run, and not its first frame
  kFree,       ///< first of a free block
  kTaken,      ///< first of a block that somebody has
  kRun,        ///< first of a run of pages that somebody has
  kCached,     ///< free, in a page cache
  kPool,       ///< an object pool's page
};

/// Fields other than `state` belong to whoever has the block: the page allocator's lock, a page
/// cache's or a pool's guards them. `state` is changed by that owner alone; others may look.
struct PageFrame {
  /// Most objects that a pool puts into a page.
  static constexpr size_t kMostObjects = 256;

  ListLink link;
  std::atomic<FrameState> state{FrameState::kAbsent};
  uint8_t order = 0;           ///< kFree, kTaken
  uint16_t objects = 0;        ///< kPool: those handed out; of a page table: entries in use
  uint32_t pages = 0;          ///< kRun
  ObjectPool* pool = nullptr;  ///< kPool
  uint64_t handed_out[4] = {}; ///< kPool: bit n is object n

  /// Relaxed: who may act on what is read learns so from a lock, or has the block.
  FrameState state_now() const { return state.load(std::memory_order_relaxed); }
  void become(FrameState next) { state.store(next, std::memory_order_relaxed); }
};
static_assert(sizeof(PageFrame) == 64, "1.6 % of memory goes into frames");
static_assert(sizeof(PageFrame::handed_out) * 8 == PageFrame::kMostObjects);

using PageList = List<PageFrame, &PageFrame::link>;

} // namespace clay
