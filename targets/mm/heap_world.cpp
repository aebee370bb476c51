#include "targets/mm/heap_world.h"

#include <algorithm>
#include <cstring>

namespace kiln::mm {
namespace {

constexpr size_t kLargest = clay::kPageBytes << clay::kMaxOrder;

/// The bytes that the heap sets aside, by its header: the smallest class that is a multiple of the
/// alignment, or whole pages; 0: it cannot be.
size_t expected_capacity(size_t size, size_t align) {
  size = std::max<size_t>(size, 1);
  for (size_t size_class : clay::kSizeClasses) {
    if (size_class >= size && size_class % align == 0) {
      return size_class;
    }
  }
  const bool fits = size <= kLargest && align <= kLargest;
  return fits ? (size + clay::kPageBytes - 1) / clay::kPageBytes * clay::kPageBytes : 0;
}

unsigned order_for(size_t bytes) {
  unsigned order = 0;
  while ((clay::kPageBytes << order) < bytes) {
    ++order;
  }
  return order;
}

bool all_zero(const void* at, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(at);
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

} // namespace

HeapProbes::HeapProbes(const char* target)
    : full_class(target, "a block fills its class to the last byte"),
      past_class(target, "a block is one byte too large for a class"),
      run(target, "a block takes whole pages"),
      odd_run(target, "a block takes a number of pages that is no power of two"),
      aligned_small(target, "a small block is more aligned than its size class"),
      aligned_run(target, "a block is aligned to more than a page"),
      too_large(target, "a block is refused because nothing is that large"),
      small_refused(target, "a small block is refused for want of a page"),
      run_refused(target, "a block is refused for want of pages in a row"),
      resized(target, "a block grows in place"),
      not_resized(target, "a block cannot grow where it is"),
      second_page(target, "a pool has two pages with objects"),
      page_returned(target, "the last object of a page comes back and the page goes"),
      trimmed(target, "a trim finds pages"),
      object_refused(target, "an object is refused for want of a page"),
      failed(target, "an allocation is made to fail") {}

// --- The machine of a run

namespace {

/// Mostly so few pages that they run out; now and then the largest block lies among them, wherever
/// they begin.
MemoryShape draw_memory(sim::Run& run) {
  auto data = run.tape.data();
  const size_t lead = static_cast<size_t>(data.below(20));
  const auto kind = data.weighted({12, 12, 1});
  const uint64_t frames = kind == 0   ? data.between(3, 24)
                          : kind == 1 ? data.between(24, 80)
                                      : data.between(2047, 2080);
  return {static_cast<size_t>(frames), true, 0, lead};
}

clay::ObjectPool::Shape draw_object(sim::Run& run) {
  auto data = run.tape.data();
  const size_t size = draw_object_size(data);
  return {"target", size, draw_object_align(data)};
}

} // namespace

HeapWorld::HeapWorld(sim::Run& run, const HeapProbes& probes)
    : machine_(run.machine), probes_(probes), memory_(draw_memory(run)), cache_(memory_.allocator),
      heap_(cache_), object_(draw_object(run)), pool_(cache_, object_),
      shadow_(memory_.address_of(0), memory_.model.size() * clay::kPageBytes),
      failure_(run.machine) {
  add_ranges(run);
  const size_t stride = (std::max<size_t>(object_.size, 1) + object_.align - 1) / object_.align;
  KILN_CHECK(pool_.objects_per_page() <= clay::kPageBytes / (stride * object_.align),
             "%zu objects of %zu bytes are to lie in a page", pool_.objects_per_page(),
             object_.size);
  KILN_CHECK(pool_.name() == object_.name, "the pool does not say its name");
}

/// All of it, or all but a hole.
void HeapWorld::add_ranges(sim::Run& run) {
  auto data = run.tape.data();
  const size_t frames = memory_.model.size();
  const size_t hole = static_cast<size_t>(data.below(frames));
  memory_.add_range(memory_.model.first() + hole, frames - hole);
  if (hole > 1) {
    memory_.add_range(memory_.model.first(), hole - 1);
  }
}

// --- What follows from the live blocks

size_t HeapWorld::index_of(const void* at) const {
  return memory_.index_of(memory_.allocator.frame_of(at));
}

void HeapWorld::mark_used(PageModel& model) const {
  for (const Block& block : blocks_) {
    const size_t first = index_of(block.at);
    const size_t pages = (block.capacity + clay::kPageBytes - 1) / clay::kPageBytes;
    model.set(first, pages, Frame::kHeld);
  }
}

/// Of the blocks of that kind and capacity (0: any), how many lie in each page.
std::map<size_t, size_t> HeapWorld::blocks_by_page(Kind kind, size_t capacity) const {
  std::map<size_t, size_t> counts;
  for (const Block& block : blocks_) {
    if (block.kind == kind && (capacity == 0 || block.capacity == capacity)) {
      ++counts[index_of(block.at)];
    }
  }
  return counts;
}

size_t HeapWorld::pages_of(Kind kind) const { return blocks_by_page(kind, 0).size(); }

/// Whether a page with such blocks has a place free.
bool HeapWorld::has_room(Kind kind, size_t capacity, size_t per_page) const {
  const auto counts = blocks_by_page(kind, capacity);
  return std::any_of(counts.begin(), counts.end(),
                     [per_page](const auto& page) { return page.second < per_page; });
}

// --- The heap

void HeapWorld::took_heap_block(void* at, const HeapStep& step, size_t capacity) {
  const size_t size = std::max<size_t>(step.size, 1);
  const size_t got = heap_.size_of(at); // before others know of the block, and may free it
  shadow_.add(at, size, std::max(step.align, clay::Heap::kLeastAlign));
  const bool small = capacity < clay::kPageBytes;
  blocks_.push_back({at, size, capacity, small ? Kind::kSmall : Kind::kRun, 0});
  KILN_CHECK(is_nobodys(static_cast<uint8_t*>(at) + size, capacity - size),
             "the bytes behind a block of %zu can be used", size);
  KILN_CHECK(got == capacity, "a block of %zu bytes says that it has room for %zu, not %zu", size,
             got, capacity);
  if (small && size == capacity) probes_.full_class.hit();
  if (small && size > 16 && expected_capacity(size - 1, 1) == size - 1) probes_.past_class.hit();
  if (small && expected_capacity(size, 1) < capacity) probes_.aligned_small.hit();
  if (!small) probes_.run.hit();
  if (!small && (capacity & (capacity - 1)) != 0) probes_.odd_run.hit();
  if (step.align > clay::kPageBytes) probes_.aligned_run.hit();
}

/// Whether a refusal is final; fails when it has no reason. False: pages that the heap does not
/// reach have been given back meanwhile, ask again.
bool HeapWorld::judge_refusal(const Operation& operation, const HeapStep& step, size_t capacity) {
  if (pool_.trim() != 0) {
    return false;
  }
  PageModel model = memory_.model;
  mark_used(model);
  const bool small = capacity < clay::kPageBytes;
  const unsigned order = order_for(std::max(step.align, capacity));
  const bool possible = small ? model.count(Frame::kFree) != 0 ||
                                    has_room(Kind::kSmall, capacity, clay::kPageBytes / capacity)
                              : model.has_block(order);
  KILN_CHECK(!possible || !operation.alone(), "%zu bytes aligned to %zu are refused without reason",
             step.size, step.align);
  if (operation.alone()) {
    small ? probes_.small_refused.hit() : probes_.run_refused.hit();
  }
  return true;
}

void HeapWorld::allocate(const HeapStep& step, bool zeroed) {
  const size_t capacity = expected_capacity(step.size, step.align);
  const size_t announced = clay::Heap::size_for(step.size, step.align);
  KILN_CHECK(announced == capacity, "%zu bytes aligned to %zu are to have room for %zu, not %zu",
             step.size, step.align, announced, capacity);
  for (;;) {
    Operation operation(traffic_);
    const uint64_t before = failure_.before();
    void* const at = zeroed ? heap_.allocate_zeroed(step.size, step.align)
                            : heap_.allocate(step.size, step.align);
    if (at != nullptr) {
      KILN_CHECK(capacity != 0, "%zu bytes aligned to %zu are granted", step.size, step.align);
      KILN_CHECK(!zeroed || all_zero(at, std::max<size_t>(step.size, 1)),
                 "a zeroed block of %zu bytes holds something else", step.size);
      return took_heap_block(at, step, capacity);
    }
    if (failure_.may_have_struck(before)) {
      return probes_.failed.hit();
    }
    if (capacity == 0) {
      return probes_.too_large.hit();
    }
    if (judge_refusal(operation, step, capacity)) {
      return;
    }
  }
}

void HeapWorld::resize(const HeapStep& step) {
  if (blocks_.empty()) {
    return;
  }
  const size_t place = step.which % blocks_.size();
  Block block = blocks_[place];
  if (block.kind != Kind::kSmall && block.kind != Kind::kRun) {
    return;
  }
  Operation operation(traffic_);
  // Nobody else may free it meanwhile.
  blocks_[place] = blocks_.back();
  blocks_.pop_back();
  const size_t size = std::max<size_t>(step.size, 1);
  const bool fits = heap_.try_resize(block.at, block.size, size);
  KILN_CHECK(fits == (size <= block.capacity), "a block of %zu bytes %s resized to %zu", block.size,
             fits ? "can be" : "cannot be", size);
  if (fits) {
    if (size > block.size) probes_.resized.hit();
    shadow_.resize(block.at, size);
    block.size = size;
  } else {
    probes_.not_resized.hit();
  }
  blocks_.push_back(block);
}

void HeapWorld::trim() {
  Operation operation(traffic_);
  const size_t before = heap_.pool_pages() + cache_.cached();
  const size_t trimmed = heap_.trim();
  const size_t after = heap_.pool_pages() + cache_.cached();
  const size_t again = heap_.trim();
  if (trimmed != 0) probes_.trimmed.hit();
  if (operation.alone()) {
    KILN_CHECK(trimmed == before - after, "a trim says %zu pages, and it was %zu", trimmed,
               before - after);
    KILN_CHECK(again == 0, "a second trim finds %zu pages", again);
    KILN_CHECK(after == pages_of(Kind::kSmall), "%zu pages are left after a trim, and %zu in use",
               after, pages_of(Kind::kSmall));
  }
}

// --- The pool

void HeapWorld::took_object(void* at) {
  shadow_.add(at, object_.size, object_.align);
  blocks_.push_back({at, object_.size, object_.size, Kind::kObject, 0});
  const clay::PageFrame& page = memory_.allocator.frame_of(at);
  KILN_CHECK(clay::ObjectPool::owner_of(page) == &pool_, "an object's page is another pool's");
  if (pages_of(Kind::kObject) >= 2) probes_.second_page.hit();
}

void HeapWorld::take_object() {
  Operation operation(traffic_);
  const uint64_t before = failure_.before();
  const size_t pages = pool_.pages();
  const bool room = has_room(Kind::kObject, object_.size, pool_.objects_per_page()) ||
                    pages > pages_of(Kind::kObject); // an empty one that it kept
  void* const at = pool_.allocate();
  if (at != nullptr) {
    took_object(at);
    const size_t now = pool_.pages();
    KILN_CHECK(now == (room ? pages : pages + 1) || !operation.alone(),
               "the pool had %zu pages, %s, and has %zu after an allocation", pages,
               room ? "one with room" : "all full", now);
    return;
  }
  if (failure_.may_have_struck(before)) {
    return probes_.failed.hit();
  }
  const size_t free = memory_.allocator.free_pages() + cache_.cached();
  KILN_CHECK((!room && free == 0) || !operation.alone(),
             "an object is refused, and %zu pages are free", free);
  probes_.object_refused.hit();
}

void HeapWorld::trim_pool() {
  Operation operation(traffic_);
  pool_.trim();
  const size_t again = pool_.trim();
  const size_t pages = pool_.pages();
  KILN_CHECK(again == 0 || !operation.alone(), "a second trim of the pool finds %zu pages", again);
  KILN_CHECK(pages == pages_of(Kind::kObject) || !operation.alone(),
             "the pool has %zu pages after a trim, and needs %zu", pages, pages_of(Kind::kObject));
}

// --- Pages that neither has

void HeapWorld::hold_pages(unsigned order) {
  Operation operation(traffic_);
  clay::PageFrame* const block = memory_.allocator.allocate(order);
  if (block != nullptr) {
    const size_t bytes = clay::kPageBytes << order;
    uint8_t* const at = memory_.allocator.address_of(*block);
    shadow_.add(at, bytes, clay::kPageBytes);
    blocks_.push_back({at, bytes, bytes, Kind::kPages, order});
  }
}

// --- Giving back

void HeapWorld::give_back(const Block& block) {
  switch (block.kind) {
  case Kind::kSmall:
  case Kind::kRun:
    return heap_.free(block.at);
  case Kind::kObject:
    return pool_.free(block.at);
  case Kind::kPages:
    return memory_.allocator.free(memory_.allocator.frame_of(block.at), block.order);
  }
}

void HeapWorld::free_one(unsigned which) {
  if (blocks_.empty()) {
    return heap_.free(nullptr);
  }
  Operation operation(traffic_);
  const size_t place = which % blocks_.size();
  const Block block = blocks_[place];
  blocks_[place] = blocks_.back();
  blocks_.pop_back();
  shadow_.remove(block.at);
  const size_t of_heap = heap_.pool_pages();
  const size_t of_pool = pool_.pages();
  give_back(block);
  const size_t left = pool_.pages();
  const size_t after = heap_.pool_pages() + left;
  if (!operation.alone()) {
    return;
  }
  const size_t kept = std::min(of_pool, pages_of(Kind::kObject) + clay::ObjectPool::kKeptEmpty);
  KILN_CHECK(left == kept, "the pool keeps %zu pages, not %zu", left, kept);
  KILN_CHECK(is_nobodys(block.at, block.size), "a block of %zu bytes can be used after its free",
             block.size);
  if (after < of_heap + of_pool) probes_.page_returned.hit();
}

// --- Steps

/// A few; now and then as many small ones as a page has, and more, unless one is refused before.
void HeapWorld::many(const HeapStep& step) {
  const unsigned count = step.count < 248 ? step.count % 24 : clay::PageFrame::kMostObjects + 20;
  const size_t at_first = blocks_.size();
  const bool takes = step.act != HeapAct::kFreeMany;
  for (unsigned i = 0; i < count && (!takes || blocks_.size() >= at_first + i); ++i) {
    switch (step.act) {
    case HeapAct::kMany:
      allocate(step, false);
      break;
    case HeapAct::kManyObjects:
      take_object();
      break;
    default:
      free_one(step.which);
    }
  }
}

void HeapWorld::do_step(const HeapStep& step, bool in_task) {
  switch (step.act) {
  case HeapAct::kAllocate:
    allocate(step, false);
    break;
  case HeapAct::kZeroed:
    allocate(step, true);
    break;
  case HeapAct::kFree:
    free_one(step.which);
    break;
  case HeapAct::kMany:
  case HeapAct::kFreeMany:
  case HeapAct::kManyObjects:
    many(step);
    break;
  case HeapAct::kResize:
    resize(step);
    break;
  case HeapAct::kTouch:
    if (!blocks_.empty()) shadow_.touch(blocks_[step.which % blocks_.size()].at);
    break;
  case HeapAct::kTrim:
    trim();
    break;
  case HeapAct::kTakeObject:
    take_object();
    break;
  case HeapAct::kTrimPool:
    trim_pool();
    break;
  case HeapAct::kHoldPages:
    hold_pages(step.which % 5);
    break;
  case HeapAct::kRaise:
    // A handler that raised its own line would go on for ever.
    return in_task ? machine_.raise_irq(step.which % machine_.cpus(), sync::kDeviceLine)
                   : sync::breathe();
  case HeapAct::kBreathe:
    return sync::breathe(step.which % 4);
  }
  check();
}

// --- What must hold

/// Pools keep one empty page each, and nobody loses a page.
void HeapWorld::check() {
  if (!traffic_.quiet()) {
    return;
  }
  const uint64_t begun = traffic_.begun;
  const size_t heap_pages = heap_.pool_pages();
  const size_t pool_pages = pool_.pages();
  const size_t objects = pool_.live();
  const size_t free = memory_.allocator.free_pages() + cache_.cached();
  if (!traffic_.quiet() || traffic_.begun != begun) {
    return;
  }
  const size_t small = pages_of(Kind::kSmall);
  const size_t mine = pages_of(Kind::kObject);
  KILN_CHECK(heap_pages >= small && heap_pages <= small + clay::kSizeClassCount,
             "the heap's pools have %zu pages, and need %zu", heap_pages, small);
  KILN_CHECK(pool_pages >= mine && pool_pages <= mine + clay::ObjectPool::kKeptEmpty,
             "the pool has %zu pages, and needs %zu", pool_pages, mine);
  const size_t live = static_cast<size_t>(std::count_if(
      blocks_.begin(), blocks_.end(), [](const Block& b) { return b.kind == Kind::kObject; }));
  KILN_CHECK(objects == live, "the pool says %zu objects are out, and %zu are", objects, live);
  PageModel model = memory_.model;
  for (const Block& block : blocks_) {
    if (block.kind == Kind::kRun || block.kind == Kind::kPages) {
      const size_t pages = (block.capacity + clay::kPageBytes - 1) / clay::kPageBytes;
      model.set(index_of(block.at), pages, Frame::kHeld);
    }
  }
  const size_t left = model.count(Frame::kFree);
  KILN_CHECK(free + heap_pages + pool_pages == left,
             "%zu pages are free or cached, %zu in pools, and there are %zu for these", free,
             heap_pages + pool_pages, left);
}

void HeapWorld::finish() {
  while (!blocks_.empty()) {
    free_one(static_cast<unsigned>(blocks_.size() / 2));
  }
  pool_.trim();
  heap_.trim();
  KILN_CHECK(heap_.trim() == 0, "a second trim finds pages");
  memory_.check_books(traffic_);
  const size_t free = memory_.allocator.free_pages();
  KILN_CHECK(free == memory_.allocator.managed(), "%zu pages of %zu have come back", free,
             memory_.allocator.managed());
}

} // namespace kiln::mm
