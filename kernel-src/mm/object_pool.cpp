#include "kernel-src/mm/object_pool.h"

#include <bit>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

constinit LockClass object_pool_class{"object-pool", kHalOfAllocator};

size_t stride_for(const ObjectPool::Shape& shape) {
  CLAY_ASSERT(shape.size > 0 && shape.size <= kPageBytes);
  CLAY_ASSERT(is_power_of_two(shape.align) && shape.align <= kPageBytes);
  const size_t least =
      shape.size < ObjectPool::kLeastStride ? ObjectPool::kLeastStride : shape.size;
  const size_t align =
      shape.align < ObjectPool::kLeastStride ? ObjectPool::kLeastStride : shape.align;
  return align_up(least, align).take();
}

void add_to(std::atomic<size_t>& count, size_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}
void take_from(std::atomic<size_t>& count, size_t less) {
  count.store(count.load(std::memory_order_relaxed) - less, std::memory_order_relaxed);
}

} // namespace

ObjectPool::ObjectPool(PageCache& pages, const Shape& shape)
    : cache_(pages), allocator_(pages.pages()), name_(shape.name), size_(shape.size),
      stride_(stride_for(shape)), per_page_(kPageBytes / stride_), lock_(object_pool_class) {
  static_assert(kPageBytes / kLeastStride <= PageFrame::kMostObjects);
}

ObjectPool::~ObjectPool() {
  CLAY_ASSERT(live() == 0); // an object has leaked
  trim();
  CLAY_ASSERT(pages() == 0);
}

void* ObjectPool::object_at(const PageFrame& page, size_t index) const {
  return allocator_.address_of(page) + index * stride_;
}

/// `object` must be the address of one.
size_t ObjectPool::index_of(const PageFrame& page, const void* object) const {
  const size_t offset =
      static_cast<size_t>(static_cast<const uint8_t*>(object) - allocator_.address_of(page));
  CLAY_ASSERT(offset % stride_ == 0 && offset / stride_ < per_page_);
  return offset / stride_;
}

// --- Pages

/// A page without objects, in no list; null when there is none.
PageFrame* ObjectPool::add_page() {
  PageFrame* const page = cache_.allocate();
  if (page == nullptr) {
    return nullptr;
  }
  hal_memory_freed(allocator_.address_of(*page), kPageBytes); // its objects are nobody's yet
  page->pool = this;
  page->objects = 0;
  for (uint64_t& word : page->handed_out) {
    word = 0;
  }
  page->become(FrameState::kPool);
  return page;
}

void ObjectPool::return_page(PageFrame& page) {
  page.pool = nullptr;
  page.become(FrameState::kTaken);
  cache_.free(page);
}

size_t ObjectPool::trim() {
  PageList pages;
  size_t count = 0;
  {
    IrqSpinGuard guard(lock_);
    while (PageFrame* const page = empty_.pop_front()) {
      page->pool = nullptr;
      page->become(FrameState::kTaken);
      pages.push_back(*page);
      ++count;
    }
    empty_count_ = 0;
    take_from(page_count_, count);
  }
  if (count != 0) {
    allocator_.free_batch(pages);
  }
  return count;
}

// --- Taking

/// The first object of a page that is not out; there is one.
size_t ObjectPool::take_bit(PageFrame& page) const {
  for (size_t word = 0; word < sizeof page.handed_out / sizeof page.handed_out[0]; ++word) {
    const auto free = static_cast<size_t>(std::countr_one(page.handed_out[word]));
    if (free < 64) {
      page.handed_out[word] |= uint64_t{1} << free;
      return word * 64 + free;
    }
  }
  CLAY_ASSERT(false);
}

/// One more object of a page in partial_ is out.
void ObjectPool::note_taken(PageFrame& page) {
  ++page.objects;
  if (page.objects == per_page_) {
    partial_.remove(page);
  }
  add_to(live_, 1);
}

/// Null when no page has one.
void* ObjectPool::take() {
  PageFrame* page = partial_.front();
  if (page == nullptr) {
    page = empty_.pop_front();
    if (page == nullptr) {
      return nullptr;
    }
    --empty_count_;
    partial_.push_front(*page);
  }
  note_taken(*page);
  return object_at(*page, take_bit(*page));
}

void* ObjectPool::allocate() {
  void* object = nullptr;
  {
    IrqSpinGuard guard(lock_);
    object = take();
  }
  if (object == nullptr) {
    PageFrame* const page = add_page();
    if (page == nullptr) {
      return nullptr;
    }
    IrqSpinGuard guard(lock_);
    add_to(page_count_, 1);
    partial_.push_front(*page);
    object = take();
  }
  hal_memory_handed_out(object, size_);
  return object;
}

// --- Giving back

/// A page that the pool has no use for any more, or null.
PageFrame* ObjectPool::put(PageFrame& page, size_t index) {
  uint64_t& word = page.handed_out[index / 64];
  const uint64_t bit = uint64_t{1} << (index % 64);
  CLAY_ASSERT((word & bit) != 0); // or it is given back twice
  word &= ~bit;
  take_from(live_, 1);
  if (page.objects == per_page_) {
    partial_.push_front(page);
  }
  --page.objects;
  if (page.objects != 0) {
    return nullptr;
  }
  partial_.remove(page);
  if (empty_count_ < kKeptEmpty) {
    empty_.push_front(page);
    ++empty_count_;
    return nullptr;
  }
  take_from(page_count_, 1);
  return &page;
}

void ObjectPool::free(void* object) {
  PageFrame& page = allocator_.frame_of(object);
  CLAY_ASSERT(page.state_now() == FrameState::kPool && page.pool == this);
  const size_t index = index_of(page, object);
  hal_memory_freed(object, size_);
  PageFrame* unused = nullptr;
  {
    IrqSpinGuard guard(lock_);
    unused = put(page, index);
  }
  if (unused != nullptr) {
    return_page(*unused);
  }
}

} // namespace clay
