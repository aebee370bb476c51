#include "targets/mm/page_world.h"

#include <algorithm>
#include <utility>

namespace kiln::mm {

PageProbes::PageProbes(const char* target)
    : largest(target, "a block of the largest order is handed out"),
      refused(target, "a block is refused because there is none"),
      fragmented(target, "a block is refused though enough pages are free"),
      last(target, "the last page is taken"),
      odd_run(target, "a run is handed out whose rest goes back"),
      aligned_run(target, "a run is more aligned than its size asks for"),
      long_run(target, "a long run is given back"), joined(target, "two ranges make up one block"),
      frame_zero(target, "frame 0 lies in a range that is added"),
      overlap(target, "a range is refused because a part was there"),
      outside(target, "a range is refused because it leaves the window"),
      overflow(target, "a page cache has too many and gives a batch back"),
      in_the_way(target, "a block is there once the caches are drained"),
      failed(target, "an allocation is made to fail"),
      crossed(target, "a cache's page is freed to the allocator") {}

// --- Drawing

namespace {

/// Of blocks with more pages than a number can say.
constexpr unsigned kNoOrder = 200;
/// In a step: pages whose bytes no number can say.
constexpr uint16_t kNoPages = UINT16_MAX;
constexpr size_t kTooManyPages = size_t{1} << 53;
/// Of so many pages the blocks are far fewer.
constexpr size_t kLongRun = 256;
/// A run falls into two blocks of each order at most, and each joins one of each order at most.
constexpr uint64_t kMostPoints = 4 * (clay::kMaxOrder + 1) * (clay::kMaxOrder + 1);

} // namespace

PageStep draw_page_step(sim::Tape& tape, By by) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  // Interrupts fill caches at the worst of times: between an empty one and its next batch.
  static constexpr uint16_t kActs[][14] = {{12, 12, 6, 8, 6, 3, 2, 2, 3, 2, 2, 2, 0, 2},
                                           {8, 8, 4, 6, 6, 2, 2, 1, 2, 4, 0, 1, 8, 1}};
  static constexpr uint16_t kOrders[] = {10, 6, 5, 4, 3, 2, 1, 1, 1, 1, 5, 1, 1};
  PageStep step{};
  step.act = static_cast<PageAct>(data.weighted(kActs[static_cast<size_t>(by)]));
  step.order = static_cast<uint8_t>(data.weighted(kOrders));
  step.which = data.u8();
  switch (data.weighted({12, 12, 1, 1})) {
  case 0:
    step.pages = static_cast<uint16_t>(data.below(20));
    break;
  case 1:
    step.pages = static_cast<uint16_t>(data.below(1030));
    break;
  case 2:
    step.pages = 1 << clay::kMaxOrder;
    break;
  default:
    step.pages = kNoPages;
  }
  step.place = data.u16();
  return step;
}

std::vector<PageStep> draw_page_steps(sim::Tape& tape, uint64_t count, By by) {
  std::vector<PageStep> steps;
  steps.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    steps.push_back(draw_page_step(tape, by));
  }
  return steps;
}

/// Mostly few pages, so that they run out; now and then enough for the largest order, once or
/// twice, from most of the first frames on.
MemoryShape PageWorld::draw_shape(sim::Run& run) {
  auto data = run.tape.data();
  const auto kind = data.weighted({14, 8, 1});
  const size_t frames = kind == 0 ? static_cast<size_t>(data.between(1, 40))
                        : kind == 1
                            ? static_cast<size_t>(data.between(40, 160))
                            : static_cast<size_t>(data.between(1, 2) * 1024 + 39 + data.below(76));
  const uint64_t near_largest = (data.between(1, 3) << clay::kMaxOrder) - data.below(40);
  const uint64_t firsts[] = {0,
                             1,
                             near_largest,
                             data.between(2, 70),
                             (uint64_t{1} << 52) - frames,
                             (uint64_t{1} << 40) - 8};
  return {frames, false, data.pick(firsts), 0};
}

PageWorld::PageWorld(sim::Run& run, const PageProbes& probes)
    : machine_(run.machine), probes_(probes), memory_(draw_shape(run)), cache_(memory_.allocator),
      shadow_(memory_.address_of(0), memory_.model.size() * clay::kPageBytes),
      failure_(run.machine) {
  check_window();
  add_first_ranges(run);
}

/// What lies in the window does not depend on what has been added.
void PageWorld::check_window() {
  const uint8_t* const first = memory_.address_of(0);
  const uint8_t* const end = memory_.address_of(memory_.model.size());
  const clay::PageAllocator& allocator = memory_.allocator;
  KILN_CHECK(allocator.holds(first) && allocator.holds(end - 1),
             "the window does not hold its first and its last byte");
  KILN_CHECK(!allocator.holds(first - 1) && !allocator.holds(end),
             "the window holds a byte before or behind it");
  constexpr uint64_t kLargest = clay::kPageBytes << clay::kMaxOrder;
  const bool aligned = reinterpret_cast<uintptr_t>(first) % kLargest ==
                       memory_.model.first() % (1 << clay::kMaxOrder) * clay::kPageBytes;
  KILN_CHECK(allocator.is_mapped_aligned() == aligned,
             "frame %llx mapped at %p: is_mapped_aligned() says %s",
             static_cast<unsigned long long>(memory_.model.first()),
             static_cast<const void*>(first), aligned ? "no" : "yes");
}

void PageWorld::add_first_ranges(sim::Run& run) {
  auto data = run.tape.data();
  const size_t frames = memory_.model.size();
  size_t at = static_cast<size_t>(data.boolean() ? data.below(frames) : 0);
  size_t border = 0;
  for (uint64_t ranges = data.between(1, 3); ranges > 0 && at < frames; --ranges) {
    const size_t rest = frames - at;
    const size_t count = rest - static_cast<size_t>(data.boolean() ? data.below(rest) : 0);
    if (memory_.model.first() + at == 0) {
      probes_.frame_zero.hit();
    }
    const bool added = memory_.add_range(memory_.model.first() + at, count);
    if (added && at == border && at != 0 && memory_.model.all(at - 1, 2, Frame::kFree)) {
      // The block that ends the first range and begins the second.
      const bool even = (memory_.model.first() + at - 1) % 2 == 0;
      if (even && memory_.model.largest_at(at - 1) > 0) {
        probes_.joined.hit();
      }
    }
    at += count;
    border = at;
    at += static_cast<size_t>(data.boolean() ? data.below(8) : 0);
  }
  check();
}

// --- Steps

uint64_t PageWorld::draw_number(const PageStep& step) const {
  const uint64_t span = memory_.model.size() + 6;
  const uint64_t number = memory_.model.first() + step.place % span;
  return number < 3 ? 0 : number - 3; // a little outside on both sides, too
}

void PageWorld::add_range(const PageStep& step) {
  if (adding_) {
    return; // which of two comes first is nobody's to say
  }
  Operation operation(traffic_);
  const uint64_t first = draw_number(step);
  const size_t count = step.pages % 16;
  adding_ = true;
  const bool added = memory_.add_range(first, count);
  adding_ = false;
  if (!added && count > 1) {
    const bool inside = memory_.model.in_window(first, count);
    inside ? probes_.overlap.hit() : probes_.outside.hit();
  }
}

/// Whoever was handed a block or a run writes it down.
void PageWorld::took(const Held& held, unsigned align_order) {
  const size_t index = memory_.index_of(*held.frame);
  memory_.take(index, held.pages);
  const uint64_t number = memory_.model.first() + index;
  KILN_CHECK(number % (uint64_t{1} << align_order) == 0,
             "%zu pages at frame %llu are not aligned to order %u", held.pages,
             static_cast<unsigned long long>(number), align_order);
  uint8_t* const address = memory_.allocator.address_of(*held.frame);
  KILN_CHECK(address == memory_.address_of(index), "the address of frame %zu is wrong", index);
  KILN_CHECK(&memory_.allocator.frame_of(address + clay::kPageBytes - 1) == held.frame,
             "the frame of an address is wrong");
  shadow_.add(address, held.pages * clay::kPageBytes, clay::kPageBytes);
  held_.push_back(held);
  if (memory_.model.count(Frame::kFree) == 0) {
    probes_.last.hit();
  }
}

/// Whether a refusal of a block of that order is final; fails when it has no reason. False: caches
/// may stand in the way.
bool PageWorld::refused_rightly(const Operation& operation, uint64_t before, unsigned order) {
  if (failure_.may_have_struck(before)) {
    probes_.failed.hit();
    return true;
  }
  if (order > clay::kMaxOrder || !operation.alone()) {
    return true; // others may have had it for a moment
  }
  memory_.note_cached();
  KILN_CHECK(!memory_.model.has_block(order) || !operation.alone(),
             "a block of order %u is refused, and there is one", order);
  probes_.refused.hit();
  if (memory_.model.count(Frame::kFree) >= size_t{1} << order) {
    probes_.fragmented.hit();
  }
  return memory_.model.count(Frame::kCached) == 0;
}

void PageWorld::take_block(unsigned order) {
  for (unsigned tries = 0; tries < 2; ++tries) {
    Operation operation(traffic_);
    const uint64_t before = failure_.before();
    clay::PageFrame* const block = memory_.allocator.allocate(order);
    if (block != nullptr) {
      if (order == clay::kMaxOrder) probes_.largest.hit();
      if (tries == 1) probes_.in_the_way.hit();
      return took({block, size_t{1} << order, order, false, false}, order);
    }
    if (refused_rightly(operation, before, order)) {
      return;
    }
    cache_.drain();
  }
}

void PageWorld::take_run(size_t pages, unsigned align_order) {
  Operation operation(traffic_);
  const uint64_t before = failure_.before();
  clay::PageFrame* const run = memory_.allocator.allocate_run(pages, align_order);
  unsigned order = align_order;
  while ((size_t{1} << order) < pages) {
    ++order;
  }
  if (run == nullptr) {
    static_cast<void>(pages == 0 || refused_rightly(operation, before, order));
    return;
  }
  KILN_CHECK(pages != 0 && order <= clay::kMaxOrder, "a run of %zu pages at order %u is granted",
             pages, align_order);
  if (pages != size_t{1} << order) probes_.odd_run.hit();
  if (pages <= size_t{1} << align_order && align_order > 0) probes_.aligned_run.hit();
  took({run, pages, 0, true, false}, order);
}

/// A page came from the only cache, or it was empty and took a batch, or as many as there were.
void PageWorld::check_cache(size_t cached, size_t free, size_t left) const {
  const size_t want = cached != 0 ? cached - 1 : std::min(free, clay::PageCache::kBatch) - 1;
  KILN_CHECK(left == want,
             "%zu pages were cached and %zu free; with one handed out, %zu are cached, not %zu",
             cached, free, left, want);
}

void PageWorld::take_cached() {
  Operation operation(traffic_);
  const uint64_t before = failure_.before();
  const size_t cached = cache_.cached();
  const size_t free_before = memory_.allocator.free_pages();
  clay::PageFrame* const page = cache_.allocate();
  if (page != nullptr) {
    took({page, 1, 0, false, true}, 0);
    const size_t left = cache_.cached();
    if (operation.alone() && machine_.cpus() == 1 && !failure_.may_have_struck(before)) {
      check_cache(cached, free_before, left);
    }
    return;
  }
  const size_t free = memory_.model.count(Frame::kFree) + memory_.model.count(Frame::kCached);
  KILN_CHECK(free == 0 || !operation.alone() || failure_.may_have_struck(before),
             "a page is refused, and %zu are free or cached", free);
}

/// A long one, and alone on the only CPU: in a bounded number of steps, not one for each page.
void PageWorld::free_run(const Held& held) {
  if (held.pages < kLongRun || machine_.cpus() != 1) {
    return memory_.allocator.free_run(*held.frame);
  }
  const bool were_on = hal_irq_save();
  const uint64_t before = machine_.points();
  memory_.allocator.free_run(*held.frame);
  const uint64_t took = machine_.points() - before;
  hal_irq_restore(were_on);
  KILN_CHECK(took < kMostPoints, "freeing a run of %zu pages takes %llu steps", held.pages,
             static_cast<unsigned long long>(took));
  probes_.long_run.hit();
}

void PageWorld::free_one(unsigned which, bool to_cache) {
  if (held_.empty()) {
    return;
  }
  Operation operation(traffic_);
  const size_t at = which % held_.size();
  const Held held = held_[at];
  held_[at] = held_.back();
  held_.pop_back();
  shadow_.remove(memory_.allocator.address_of(*held.frame));
  memory_.give_back(memory_.index_of(*held.frame), held.pages);
  if (held.is_run) {
    return free_run(held);
  }
  if (held.order != 0 || !to_cache) {
    if (held.from_cache) probes_.crossed.hit();
    return memory_.allocator.free(*held.frame, held.order);
  }
  const size_t cached = cache_.cached_on(hal_cpu_id());
  const bool full = cached == clay::PageCache::kMost;
  cache_.free(*held.frame);
  const size_t left = cache_.cached_on(hal_cpu_id());
  if (operation.alone()) {
    const size_t want = cached + 1 - (full ? clay::PageCache::kBatch : 0);
    KILN_CHECK(machine_.cpus() > 1 || left == want, "a cache of %zu pages keeps %zu of one more",
               cached, left);
    if (full) probes_.overflow.hit();
  }
}

/// Leaves the caller's cache as full as it may be.
void PageWorld::take_and_free(unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    take_cached();
  }
  for (unsigned i = 0; i < count && !held_.empty(); ++i) {
    free_one(static_cast<unsigned>(held_.size() - 1), true);
  }
}

/// Pages that are handed out to nobody, and go back at once.
void PageWorld::take_batch(size_t most) {
  Operation operation(traffic_);
  const uint64_t before = failure_.before();
  memory_.note_cached();
  const size_t free = memory_.model.count(Frame::kFree);
  clay::PageList batch;
  const size_t count = memory_.allocator.allocate_batch(batch, most);
  size_t pages = 0;
  for (clay::PageFrame* page = batch.front(); page != nullptr; page = batch.next(*page)) {
    ++pages;
  }
  memory_.allocator.free_batch(batch);
  KILN_CHECK(pages == count && count <= most, "a batch of %zu pages is said to be %zu, of %zu",
             pages, count, most);
  KILN_CHECK(batch.empty(), "a batch that was given back has pages");
  KILN_CHECK(count == std::min(most, free) || !operation.alone() ||
                 failure_.may_have_struck(before),
             "a batch of %zu pages has %zu, with %zu free", most, count, free);
}

void PageWorld::touch(unsigned which) {
  if (!held_.empty()) {
    shadow_.touch(memory_.allocator.address_of(*held_[which % held_.size()].frame));
  }
}

void PageWorld::drain() {
  Operation operation(traffic_);
  const size_t cached = cache_.cached();
  const size_t drained = cache_.drain();
  const size_t left = cache_.cached();
  KILN_CHECK(drained == cached || !operation.alone(), "%zu pages were cached, and %zu drained",
             cached, drained);
  KILN_CHECK(left == 0 || !operation.alone(), "%zu pages are cached after a drain", left);
}

void PageWorld::do_step(const PageStep& step, bool in_task) {
  const unsigned many = step.which % 48;
  switch (step.act) {
  case PageAct::kBlock:
    take_block(step.order > clay::kMaxOrder + 1 ? kNoOrder : step.order);
    break;
  case PageAct::kFree:
    free_one(step.which, false);
    break;
  case PageAct::kRun:
    take_run(step.pages == kNoPages ? kTooManyPages : step.pages,
             step.order % 3 == 0 || step.order == clay::kMaxOrder ? step.order : 0);
    break;
  case PageAct::kCached:
    take_cached();
    break;
  case PageAct::kFreeToCache:
    free_one(step.which, true);
    break;
  case PageAct::kTouch:
    touch(step.which);
    break;
  case PageAct::kDrain:
    drain();
    break;
  case PageAct::kAddRange:
    add_range(step);
    break;
  case PageAct::kMany:
    for (unsigned i = 0; i < many; ++i) {
      take_cached();
    }
    break;
  case PageAct::kFreeAll:
    for (unsigned i = 0; i < many && !held_.empty(); ++i) {
      free_one(step.place, true);
    }
    break;
  case PageAct::kBurst:
    take_and_free(many);
    break;
  case PageAct::kBatch:
    take_batch(many);
    break;
  case PageAct::kRaise:
    // A handler that raised its own line would go on for ever.
    return in_task ? machine_.raise_irq(step.which % machine_.cpus(), sync::kDeviceLine)
                   : sync::breathe();
  case PageAct::kBreathe:
    return sync::breathe(step.which % 4);
  }
  check();
}

// --- What must hold

void PageWorld::check() {
  for (unsigned cpu = 0; cpu < machine_.cpus(); ++cpu) {
    const size_t cached = cache_.cached_on(cpu);
    KILN_CHECK(cached <= clay::PageCache::kMost || !traffic_.quiet(), "CPU %u has cached %zu pages",
               cpu, cached);
  }
  memory_.check_books(traffic_);
}

/// One that goes with pages in it, which are not lost.
void PageWorld::use_another_cache() {
  clay::PageCache other(memory_.allocator);
  if (clay::PageFrame* const page = other.allocate()) {
    other.free(*page);
  }
}

void PageWorld::finish() {
  while (!held_.empty()) {
    free_one(static_cast<unsigned>(held_.size()), held_.size() % 2 == 0);
  }
  const size_t cached = cache_.cached();
  KILN_CHECK(cache_.drain() == cached && cache_.drain() == 0, "a second drain finds pages");
  use_another_cache();
  memory_.check_books(traffic_);
  const size_t free = memory_.allocator.free_pages();
  KILN_CHECK(free == memory_.allocator.managed(), "%zu pages of %zu have come back", free,
             memory_.allocator.managed());
}

} // namespace kiln::mm
