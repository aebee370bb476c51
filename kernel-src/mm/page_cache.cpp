#include "kernel-src/mm/page_cache.h"

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/lib/assert.h"

namespace clay {
namespace {

constinit LockClass page_cache_class{"page-cache", kHalOfAllocator};

/// kTaken to kCached, once: of two that free a page at the same time one panics here.
void become_cached(PageFrame& page) {
  FrameState expected = FrameState::kTaken;
  const bool was_taken = page.state.compare_exchange_strong(
      expected, FrameState::kCached, std::memory_order_relaxed, std::memory_order_relaxed);
  CLAY_ASSERT(was_taken && page.order == 0);
}

} // namespace

PageCache::Cache::Cache() : lock(page_cache_class) {}

// --- With the cache's lock held

void PageCache::add(Cache& cache, PageFrame& page) {
  cache.pages.push_front(page);
  cache.count.store(cache.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// `page` is in the cache, or null.
PageFrame* PageCache::remove(Cache& cache, PageFrame* page) {
  if (page != nullptr) {
    cache.count.store(cache.count.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    cache.pages.remove(*page);
    page->become(FrameState::kTaken);
  }
  return page;
}

void PageCache::shrink(Cache& cache, PageList& out, size_t to) {
  while (cache.count.load(std::memory_order_relaxed) > to) {
    out.push_back(*remove(cache, cache.pages.back()));
  }
}

// --- Taking

PageFrame* PageCache::take_from(Cache& cache) {
  IrqSpinGuard guard(cache.lock);
  return remove(cache, cache.pages.front());
}

/// Takes a batch, keeps all of it but one page. Null when the page allocator has none.
PageFrame* PageCache::refill(Cache& cache) {
  PageList batch;
  if (pages_.allocate_batch(batch, kBatch) == 0) {
    return nullptr;
  }
  PageFrame* const page = batch.pop_front();
  PageList surplus;
  {
    IrqSpinGuard guard(cache.lock);
    while (PageFrame* const more = batch.pop_front()) {
      become_cached(*more);
      add(cache, *more);
    }
    shrink(cache, surplus, kMost); // an interrupt, or another CPU, may have filled it meanwhile
  }
  if (!surplus.empty()) {
    pages_.free_batch(surplus);
  }
  return page;
}

/// Memory is short: what other CPUs have cached is wanted here.
PageFrame* PageCache::take_uncached() {
  drain();
  PageList one;
  pages_.allocate_batch(one, 1);
  return one.pop_front();
}

PageFrame* PageCache::allocate() {
  // The task may go on on another CPU: any cache will do.
  Cache& cache = caches_.on(hal_cpu_id());
  PageFrame* page = take_from(cache);
  page = page != nullptr ? page : refill(cache);
  page = page != nullptr ? page : take_uncached();
  if (page != nullptr) {
    hal_memory_handed_out(pages_.address_of(*page), kPageBytes);
  }
  return page;
}

// --- Giving back

void PageCache::free(PageFrame& page) {
  become_cached(page);
  hal_memory_freed(pages_.address_of(page), kPageBytes);
  PageList surplus;
  {
    Cache& cache = caches_.on(hal_cpu_id());
    IrqSpinGuard guard(cache.lock);
    add(cache, page);
    if (cache.count.load(std::memory_order_relaxed) > kMost) {
      shrink(cache, surplus, kMost + 1 - kBatch);
    }
  }
  if (!surplus.empty()) {
    pages_.free_batch(surplus);
  }
}

size_t PageCache::drain(Cache& cache) {
  PageList pages;
  size_t count = 0;
  {
    IrqSpinGuard guard(cache.lock);
    count = cache.count.load(std::memory_order_relaxed);
    shrink(cache, pages, 0);
  }
  if (count != 0) {
    pages_.free_batch(pages);
  }
  return count;
}

size_t PageCache::drain() {
  size_t count = 0;
  for (unsigned cpu = 0; cpu < hal_cpu_count(); ++cpu) {
    count += drain(caches_.on(cpu));
  }
  return count;
}

size_t PageCache::cached() {
  size_t count = 0;
  for (unsigned cpu = 0; cpu < hal_cpu_count(); ++cpu) {
    count += cached_on(cpu);
  }
  return count;
}

} // namespace clay
