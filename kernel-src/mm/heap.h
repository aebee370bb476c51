#pragma once
// Blocks of any size: small ones from pools by size class (size_class.h), larger ones as runs of
// whole pages.
//
//   Heap heap(page_cache);
//   void* block = heap.allocate(200);                  // aligned to 16; null when there is none
//   void* ring = heap.allocate_zeroed(8192, 4096);     // a power of two
//   heap.free(block);
//
// A block has the bytes that were asked for and no more: what lies behind them up to size_of() is
// nobody's until try_resize() makes it the block's.
//
// An allocation fails when it is larger or more aligned than the largest block of pages, or when no
// memory for it is left though all empty pages of all pools and caches have been given back.
//
// A block is freed once, to its heap; anything else is a bug and panics. Every function: any
// context but NMI, and with no lock of an allocator held. None waits.

#include <atomic>
#include <stddef.h>
#include <stdint.h>
#include <utility>

#include "kernel-src/lib/assert.h"
#include "kernel-src/mm/object_pool.h"
#include "kernel-src/mm/page_cache.h"
#include "kernel-src/mm/size_class.h"

namespace clay {

class Heap {
 public:
  /// What every block is aligned to, whatever is asked for.
  static constexpr size_t kLeastAlign = 16;

  /// Its pages must be mapped as aligned as they are (is_mapped_aligned), as in a direct map that
  /// begins at a multiple of the largest block.
  explicit Heap(PageCache& cache)
      : Heap(cache, std::make_index_sequence<size_t{kSizeClassCount}>()) {}
  /// Every block must have come back.
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// `size` bytes (0 is as 1) at a multiple of `align`, a power of two; contents undefined.
  void* allocate(size_t size, size_t align = kLeastAlign);
  /// The same with every byte 0.
  void* allocate_zeroed(size_t size, size_t align = kLeastAlign);
  /// Null is ignored.
  void free(void* block);

  /// The bytes that a block could be resized to where it is.
  size_t size_of(const void* block) const;
  /// What size_of() would say of a block that is asked for like this; 0 when there are none such.
  static size_t size_for(size_t size, size_t align = kLeastAlign);

  /// Makes a block of `now` bytes one of `size` (at least 1), in place; contents up to the smaller
  /// of both stay, the rest is undefined. False when it does not fit: nothing has changed then.
  [[nodiscard]] bool try_resize(void* block, size_t now, size_t size);

  /// Gives every empty page of the pools, and all cached ones, back to the page allocator; how
  /// many. Once nothing else goes on, a second trim finds none.
  size_t trim();

  /// Pages that the pools have, empty ones included: a moment's look.
  size_t pool_pages() const;

 private:
  template <size_t... index>
  Heap(PageCache& cache, std::index_sequence<index...>)
      : cache_(cache), pages_(cache.pages()),
        pools_{ObjectPool(
            cache, {kSizeClassNames[index], kSizeClasses[index], alignment_of_class(index)})...} {}

  void* allocate_once(size_t size, size_t align);
  void* allocate_small(unsigned size_class, size_t size);
  void* allocate_run(size_t size, size_t align);
  void free_run(PageFrame& run, const void* block);
  ObjectPool& pool_of(const PageFrame& page) const;

  PageCache& cache_;
  PageAllocator& pages_;
  ObjectPool pools_[kSizeClassCount];
  std::atomic<size_t> runs_{0};
};

} // namespace clay
