// Blocks: how they are split, joined, and cut down to runs.

#include "kernel-src/mm/page_allocator.h"

#include <bit>
#include <new>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

constinit LockClass page_allocator_class{"page-allocator", kHalOfAllocator};

constexpr size_t pages_of(unsigned order) { return size_t{1} << order; }

/// The smallest order whose blocks have `pages` pages, which is at least 1.
constexpr unsigned order_for(size_t pages) {
  return static_cast<unsigned>(std::bit_width(pages - 1));
}

} // namespace

PageAllocator::PageAllocator(const PageWindow& window)
    : lock_(page_allocator_class), window_(window) {
  CLAY_ASSERT(checked_add<uint64_t>(window.first, window.frames.size()).ok());
  for (PageFrame& frame : window_.frames) {
    new (&frame) PageFrame();
  }
}

PageAllocator::~PageAllocator() { CLAY_ASSERT(free_pages() == managed()); }

// --- Adding memory

bool PageAllocator::any_present(size_t index, size_t count) const {
  for (const PageFrame& frame : window_.frames.subspan(index, count)) {
    if (frame.state_now() != FrameState::kAbsent) {
      return true;
    }
  }
  return false;
}

Result<> PageAllocator::add_range(FrameNumber first, size_t count) {
  if (first == 0 && count > 0) {
    first = 1;
    --count;
  }
  if (first < window_.first ||
      !range_within<uint64_t>(first - window_.first, count, window_.frames.size())) {
    return count == 0 ? Result<>() : Error::kOutOfRange;
  }
  const size_t index = static_cast<size_t>(first - window_.first);
  IrqSpinGuard guard(lock_);
  if (any_present(index, count)) {
    return Error::kExists;
  }
  for (PageFrame& frame : window_.frames.subspan(index, count)) {
    frame.become(FrameState::kInside);
  }
  hal_memory_freed(window_.mapped_at + index * kPageBytes, count * kPageBytes);
  managed_.store(managed() + count, std::memory_order_relaxed);
  put_range(index, count);
  return {};
}

// --- Blocks

PageFrame* PageAllocator::allocate(unsigned order) {
  if (order > kMaxOrder || !hal_memory_asked(bytes_of(order))) {
    return nullptr;
  }
  PageFrame* block = nullptr;
  {
    IrqSpinGuard guard(lock_);
    block = take_block(order);
  }
  if (block != nullptr) {
    hal_resource_taken(kHalPage, block);
    hal_memory_handed_out(address_of(*block), bytes_of(order));
  }
  return block;
}

void PageAllocator::free(PageFrame& block, unsigned order) {
  CLAY_ASSERT(order <= kMaxOrder);
  CLAY_ASSERT(block.state_now() == FrameState::kTaken && block.order == order);
  hal_memory_freed(address_of(block), bytes_of(order));
  hal_resource_returned(kHalPage, &block);
  IrqSpinGuard guard(lock_);
  CLAY_ASSERT(block.state_now() == FrameState::kTaken); // or two free it at the same time
  put_block(block, order);
}

/// From the smallest free block that is large enough; null when there is none.
PageFrame* PageAllocator::take_block(unsigned order) {
  for (unsigned from = order; from <= kMaxOrder; ++from) {
    PageFrame* const block = free_blocks_[from].pop_front();
    if (block != nullptr) {
      --free_block_count_[from];
      split(*block, from, order);
      block->order = static_cast<uint8_t>(order);
      block->become(FrameState::kTaken);
      count_taken(pages_of(order));
      return block;
    }
  }
  return nullptr;
}

/// Gives the upper halves of a block of order `from` back until its lower end is of order `to`.
void PageAllocator::split(PageFrame& block, unsigned from, unsigned to) {
  while (from > to) {
    --from;
    PageFrame& upper = window_.frames[index_of(block) + pages_of(from)];
    upper.order = static_cast<uint8_t>(from);
    upper.become(FrameState::kFree);
    free_blocks_[from].push_front(upper);
    ++free_block_count_[from];
  }
}

/// The other half of the block of the next order, if it is in the window; else null.
PageFrame* PageAllocator::buddy_of(const PageFrame& block, unsigned order) const {
  const FrameNumber number = number_of(block) ^ pages_of(order);
  if (number < window_.first || number - window_.first >= window_.frames.size()) {
    return nullptr;
  }
  return &window_.frames[static_cast<size_t>(number - window_.first)];
}

/// Frees a block, and joins it with its buddies as far as they are free.
void PageAllocator::put_block(PageFrame& block, unsigned order) {
  count_free(pages_of(order));
  PageFrame* lower = &block;
  for (; order < kMaxOrder; ++order) {
    PageFrame* const buddy = buddy_of(*lower, order);
    if (buddy == nullptr || buddy->state_now() != FrameState::kFree || buddy->order != order) {
      break;
    }
    free_blocks_[order].remove(*buddy);
    --free_block_count_[order];
    PageFrame* const upper = buddy < lower ? lower : buddy;
    lower = buddy < lower ? buddy : lower;
    upper->become(FrameState::kInside);
  }
  lower->order = static_cast<uint8_t>(order);
  lower->become(FrameState::kFree);
  free_blocks_[order].push_front(*lower);
  ++free_block_count_[order];
}

// --- Runs

/// Of the largest block that begins at a frame and has at most `count` (not 0) pages.
unsigned PageAllocator::largest_order_at(size_t index, size_t count) const {
  const FrameNumber number = window_.first + index;
  const unsigned by_place = static_cast<unsigned>(std::countr_zero(number));
  const unsigned by_count = static_cast<unsigned>(std::bit_width(count)) - 1;
  const unsigned order = by_place < by_count ? by_place : by_count;
  return order < kMaxOrder ? order : kMaxOrder;
}

/// Frees frames in state kInside, in blocks as large as may be.
void PageAllocator::put_range(size_t index, size_t count) {
  while (count > 0) {
    const unsigned order = largest_order_at(index, count);
    put_block(window_.frames[index], order);
    index += pages_of(order);
    count -= pages_of(order);
  }
}

PageFrame* PageAllocator::allocate_run(size_t pages, unsigned align_order) {
  if (pages == 0 || pages > pages_of(kMaxOrder) || align_order > kMaxOrder ||
      !hal_memory_asked(pages * kPageBytes)) {
    return nullptr;
  }
  const unsigned by_size = order_for(pages);
  const unsigned order = by_size < align_order ? align_order : by_size;
  PageFrame* run = nullptr;
  {
    IrqSpinGuard guard(lock_);
    run = take_block(order);
    if (run == nullptr) {
      return nullptr;
    }
    run->pages = static_cast<uint32_t>(pages);
    run->become(FrameState::kRun);
    put_range(index_of(*run) + pages, pages_of(order) - pages);
  }
  hal_resource_taken(kHalPage, run);
  hal_memory_handed_out(address_of(*run), pages * kPageBytes);
  return run;
}

void PageAllocator::free_run(PageFrame& run) {
  CLAY_ASSERT(run.state_now() == FrameState::kRun);
  const size_t pages = run.pages;
  hal_memory_freed(address_of(run), pages * kPageBytes);
  hal_resource_returned(kHalPage, &run);
  IrqSpinGuard guard(lock_);
  CLAY_ASSERT(run.state_now() == FrameState::kRun); // or two free it at the same time
  run.become(FrameState::kInside);
  put_range(index_of(run), pages);
}

// --- Batches

size_t PageAllocator::allocate_batch(PageList& out, size_t most) {
  if (!hal_memory_asked(most * kPageBytes)) {
    return 0;
  }
  size_t count = 0;
  IrqSpinGuard guard(lock_);
  for (; count < most; ++count) {
    PageFrame* const page = take_block(0);
    if (page == nullptr) {
      break;
    }
    hal_resource_taken(kHalPage, page);
    out.push_back(*page);
  }
  return count;
}

void PageAllocator::free_batch(PageList& pages) {
  IrqSpinGuard guard(lock_);
  while (PageFrame* const page = pages.pop_front()) {
    CLAY_ASSERT(page->state_now() == FrameState::kTaken && page->order == 0);
    hal_resource_returned(kHalPage, page);
    put_block(*page, 0);
  }
}

// --- Looking

bool PageAllocator::holds(const void* address) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const uintptr_t from = reinterpret_cast<uintptr_t>(window_.mapped_at);
  return at >= from && at - from < window_.frames.size() * kPageBytes;
}

bool PageAllocator::is_mapped_aligned() const {
  const uintptr_t mapped = reinterpret_cast<uintptr_t>(window_.mapped_at) / kPageBytes;
  return is_aligned(mapped ^ window_.first, pages_of(kMaxOrder)) &&
         is_aligned(reinterpret_cast<uintptr_t>(window_.mapped_at), kPageBytes);
}

PageFrame& PageAllocator::frame_at(FrameNumber number) const {
  CLAY_ASSERT(number >= window_.first);
  return window_.frames[static_cast<size_t>(number - window_.first)];
}

PageFrame& PageAllocator::frame_of(const void* address) const {
  CLAY_ASSERT(holds(address));
  const uintptr_t from = reinterpret_cast<uintptr_t>(window_.mapped_at);
  return window_.frames[(reinterpret_cast<uintptr_t>(address) - from) / kPageBytes];
}

PageStatistics PageAllocator::statistics() {
  IrqSpinGuard guard(lock_);
  PageStatistics seen{managed(), free_pages(), {}};
  for (unsigned order = 0; order <= kMaxOrder; ++order) {
    seen.free_blocks[order] = free_block_count_[order];
  }
  return seen;
}

void PageAllocator::count_free(size_t pages) {
  free_.store(free_pages() + pages, std::memory_order_relaxed);
}

void PageAllocator::count_taken(size_t pages) {
  free_.store(free_pages() - pages, std::memory_order_relaxed);
}

} // namespace clay
