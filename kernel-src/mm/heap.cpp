#include "kernel-src/mm/heap.h"

#include <bit>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

constexpr size_t kLargestRun = kPageBytes << kMaxOrder;

struct RunShape {
  size_t pages;
  unsigned align_order;
};

/// `size` and `align` are at most kLargestRun.
RunShape run_for(size_t size, size_t align) {
  const size_t align_pages = align <= kPageBytes ? 1 : align / kPageBytes;
  return {divide_up(size, kPageBytes), static_cast<unsigned>(std::countr_zero(align_pages))};
}

} // namespace

Heap::~Heap() {
  CLAY_ASSERT(runs_.load(std::memory_order_relaxed) == 0); // a block has leaked
}

// --- Taking

void* Heap::allocate_small(unsigned size_class, size_t size) {
  auto* const block = static_cast<uint8_t*>(pools_[size_class].allocate());
  if (block != nullptr) {
    hal_memory_freed(block + size, kSizeClasses[size_class] - size);
  }
  return block;
}

void* Heap::allocate_run(size_t size, size_t align) {
  if (size > kLargestRun || align > kLargestRun) {
    return nullptr;
  }
  CLAY_ASSERT(align <= kPageBytes || pages_.is_mapped_aligned());
  const RunShape shape = run_for(size, align);
  PageFrame* const run = pages_.allocate_run(shape.pages, shape.align_order);
  if (run == nullptr) {
    return nullptr;
  }
  runs_.fetch_add(1, std::memory_order_relaxed);
  uint8_t* const block = pages_.address_of(*run);
  hal_memory_freed(block + size, shape.pages * kPageBytes - size);
  return block;
}

void* Heap::allocate_once(size_t size, size_t align) {
  const unsigned size_class = size_class_for(size, align);
  return size_class < kSizeClassCount ? allocate_small(size_class, size)
                                      : allocate_run(size, align);
}

void* Heap::allocate(size_t size, size_t align) {
  CLAY_ASSERT(is_power_of_two(align));
  size = size == 0 ? 1 : size;
  void* const block = allocate_once(size, align);
  if (block != nullptr || size_for(size, align) == 0 || trim() == 0) {
    return block;
  }
  return allocate_once(size, align);
}

void* Heap::allocate_zeroed(size_t size, size_t align) {
  void* const block = allocate(size, align);
  if (block != nullptr) {
    memset(block, 0, size == 0 ? 1 : size);
  }
  return block;
}

// --- Giving back

/// Of a page with small blocks: one of this heap's, not somebody else's pool of objects.
ObjectPool& Heap::pool_of(const PageFrame& page) const {
  CLAY_ASSERT(page.pool >= pools_ && page.pool < pools_ + kSizeClassCount);
  return *page.pool;
}

void Heap::free_run(PageFrame& run, const void* block) {
  CLAY_ASSERT(run.state_now() == FrameState::kRun && block == pages_.address_of(run));
  runs_.fetch_sub(1, std::memory_order_relaxed);
  pages_.free_run(run);
}

void Heap::free(void* block) {
  if (block == nullptr) {
    return;
  }
  PageFrame& page = pages_.frame_of(block);
  if (page.state_now() != FrameState::kPool) {
    return free_run(page, block);
  }
  pool_of(page).free(block);
}

size_t Heap::trim() {
  size_t count = 0;
  for (ObjectPool& pool : pools_) {
    count += pool.trim();
  }
  return count + cache_.drain();
}

// --- Sizes

size_t Heap::size_of(const void* block) const {
  const PageFrame& page = pages_.frame_of(block);
  if (page.state_now() == FrameState::kPool) {
    return pool_of(page).object_bytes();
  }
  CLAY_ASSERT(page.state_now() == FrameState::kRun);
  return page.pages * kPageBytes;
}

size_t Heap::size_for(size_t size, size_t align) {
  size = size == 0 ? 1 : size;
  const unsigned size_class = size_class_for(size, align);
  if (size_class < kSizeClassCount) {
    return kSizeClasses[size_class];
  }
  const bool fits = size <= kLargestRun && align <= kLargestRun;
  return fits ? run_for(size, align).pages * kPageBytes : 0;
}

bool Heap::try_resize(void* block, size_t now, size_t size) {
  const size_t capacity = size_of(block);
  CLAY_ASSERT(now > 0 && now <= capacity && size > 0);
  if (size > capacity) {
    return false;
  }
  auto* const bytes = static_cast<uint8_t*>(block);
  if (size > now) {
    hal_memory_handed_out(bytes + now, size - now);
  } else {
    hal_memory_freed(bytes + size, now - size);
  }
  return true;
}

size_t Heap::pool_pages() const {
  size_t count = 0;
  for (const ObjectPool& pool : pools_) {
    count += pool.pages();
  }
  return count;
}

} // namespace clay
