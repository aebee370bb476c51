#pragma once
// Single pages, kept ready on each CPU, so that most allocations touch no lock that another CPU
// wants. A CPU's cache is filled from the page allocator by kBatch pages at a time and never keeps
// more than kMost; what it has too much goes back by kBatch, the pages that waited longest first.
//
//   PageCache cache(pages);
//   PageFrame* page = cache.allocate();        // null when there is none anywhere
//   cache.free(*page);
//
// When the page allocator has none left, the caches of all CPUs are drained before an allocation
// fails. A page of either, cache or allocator (a block of order 0), may be freed to either.
//
// Every function: any context but NMI, and with no lock of an allocator held. None waits.

#include <atomic>
#include <stddef.h>

#include "kernel-src/mm/page_allocator.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/task/per_cpu.h"

namespace clay {

class PageCache {
 public:
  static constexpr size_t kBatch = 8;
  static constexpr size_t kMost = 24;

  explicit PageCache(PageAllocator& pages) : pages_(pages) {}
  /// Gives back what is cached.
  ~PageCache() { drain(); }
  PageCache(const PageCache&) = delete;
  PageCache& operator=(const PageCache&) = delete;

  /// A page, contents undefined. Null when neither the page allocator nor any cache has one, or
  /// others took what there was in the meantime.
  PageFrame* allocate();
  void free(PageFrame& page);

  /// Gives all cached pages of all CPUs back to the page allocator; how many.
  size_t drain();

  /// Pages cached now, on one CPU and on all: a moment's look.
  size_t cached_on(unsigned cpu) { return caches_.on(cpu).count.load(std::memory_order_relaxed); }
  size_t cached();

  PageAllocator& pages() { return pages_; }

 private:
  /// Its lock is another CPU's only while that one drains it.
  struct Cache {
    Cache();
    IrqSpinLock lock;
    PageList pages;               ///< guarded by lock; last freed first
    std::atomic<size_t> count{0}; ///< written with lock held
  };

  PageFrame* take_from(Cache& cache);
  PageFrame* refill(Cache& cache);
  PageFrame* take_uncached();
  size_t drain(Cache& cache);
  static void add(Cache& cache, PageFrame& page);
  static PageFrame* remove(Cache& cache, PageFrame* page);
  static void shrink(Cache& cache, PageList& out, size_t to);

  PageAllocator& pages_;
  PerCpu<Cache> caches_;
};

} // namespace clay
