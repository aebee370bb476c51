#pragma once
// The machine's physical memory, in pages: a buddy allocator (Knowlton 1965). Free memory lies in
// blocks that are as large as they can be: two free neighbours that make up an aligned block of the
// next order are always joined, so that an allocation fails only when no aligned run of free frames
// of its size exists.
//
//   PageAllocator pages({.first = 0, .frames = {metadata, 65536}, .mapped_at = direct_map});
//   CLAY_TRY(pages.add_range(256, 65280));      // frames that the memory map calls usable
//   PageFrame* block = pages.allocate(3);       // eight pages; null when there are none
//   memset(pages.address_of(*block), 0, 8 * kPageBytes);
//   pages.free(*block, 3);
//
// Frame 0 is never handed out: its address is the null pointer of the machine's devices.
//
// A block is freed once, as what it was allocated; anything else is a bug of the caller and panics.
// Every function: any context but NMI, and with no lock of an allocator held. None waits. Work with
// the lock held is bounded by the number of orders, but for add_range (frames) and batches (pages).

#include <atomic>
#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/mm/page_frame.h"
#include "kernel-src/sync/irq_spin_lock.h"

namespace clay {

/// What a page allocator is given: frames [first, first + frames.size()), of which it hands out
/// those that are added, and where the page of the first one is mapped, all others behind it.
struct PageWindow {
  FrameNumber first;
  Span<PageFrame> frames; ///< need not be initialised; the allocator's for as long as it lives
  uint8_t* mapped_at;
};

/// A moment's look.
struct PageStatistics {
  size_t managed;                    ///< pages added
  size_t free;                       ///< of these, in free blocks
  size_t free_blocks[kMaxOrder + 1]; ///< by order
};

class PageAllocator {
 public:
  /// At first no page is there. The window must not go beyond the largest frame number.
  explicit PageAllocator(const PageWindow& window);
  /// Every page must have come back.
  ~PageAllocator();
  PageAllocator(const PageAllocator&) = delete;
  PageAllocator& operator=(const PageAllocator&) = delete;

  /// Makes frames [first, first + count) available; frame 0 is left out. kOutOfRange when they do
  /// not all lie in the window, kExists when one was added before: nothing is added then.
  Result<> add_range(FrameNumber first, size_t count);

  /// A block of 2^order pages, contents undefined. Null when there is none, or order > kMaxOrder.
  PageFrame* allocate(unsigned order);
  void free(PageFrame& block, unsigned order);

  /// `pages` pages in a row, no more; the first frame's number is a multiple of 2^align_order. Null
  /// when there are none (none of the next larger order, that is), or they make up more than a
  /// block of kMaxOrder, or there are to be 0.
  PageFrame* allocate_run(size_t pages, unsigned align_order = 0);
  void free_run(PageFrame& run);

  /// Up to `most` single pages onto the end of `out`; how many. They are not handed out to anybody
  /// yet: hal_memory_handed_out is the caller's to say.
  size_t allocate_batch(PageList& out, size_t most);
  /// Single pages, of allocate_batch or allocate(0), that have been freed (hal_memory_freed) and
  /// are in state kTaken. `pages` is empty afterwards.
  void free_batch(PageList& pages);

  // --- Any context

  FrameNumber number_of(const PageFrame& frame) const { return window_.first + index_of(frame); }
  uint8_t* address_of(const PageFrame& frame) const {
    return window_.mapped_at + index_of(frame) * kPageBytes;
  }
  /// The frame of that number, which lies in the window.
  PageFrame& frame_at(FrameNumber number) const;
  /// The frame of the page that holds `address`, which lies in the window.
  PageFrame& frame_of(const void* address) const;
  /// Whether `address` lies in the window.
  bool holds(const void* address) const;
  /// Whether addresses are as aligned as physical ones, up to the largest block.
  bool is_mapped_aligned() const;

  size_t managed() const { return managed_.load(std::memory_order_relaxed); }
  size_t free_pages() const { return free_.load(std::memory_order_relaxed); }
  PageStatistics statistics();

 private:
  size_t index_of(const PageFrame& frame) const {
    return static_cast<size_t>(&frame - window_.frames.data());
  }
  size_t bytes_of(unsigned order) const { return kPageBytes << order; }

  // With lock_ held.
  PageFrame* take_block(unsigned order);
  void split(PageFrame& block, unsigned from, unsigned to);
  void put_block(PageFrame& block, unsigned order);
  void put_range(size_t index, size_t count);
  PageFrame* buddy_of(const PageFrame& block, unsigned order) const;
  unsigned largest_order_at(size_t index, size_t count) const;
  bool any_present(size_t index, size_t count) const;
  void count_free(size_t pages);
  void count_taken(size_t pages);

  IrqSpinLock lock_;
  const PageWindow window_;
  PageList free_blocks_[kMaxOrder + 1];         ///< guarded by lock_
  size_t free_block_count_[kMaxOrder + 1] = {}; ///< guarded by lock_
  std::atomic<size_t> managed_{0};              ///< written with lock_ held
  std::atomic<size_t> free_{0};                 ///< written with lock_ held
};

} // namespace clay
