#include "targets/mm/memory.h"

#include "targets/mm/shadow.h"

namespace kiln::mm {
namespace {

clay::PageFrame* first_of(sim::ExactBlock& frames) {
  return reinterpret_cast<clay::PageFrame*>(frames.bytes().data());
}

/// No atomic access, which would be a scheduling point: all frames are seen in one moment.
clay::FrameState look_at(const std::atomic<clay::FrameState>& state) {
  static_assert(sizeof state == sizeof(clay::FrameState));
  return *reinterpret_cast<const volatile clay::FrameState*>(&state);
}

/// What add_range must say of a range that does not hold frame 0.
clay::Result<> verdict(const PageModel& model, uint64_t first, size_t count) {
  if (count == 0) {
    return {};
  }
  if (!model.in_window(first, count)) {
    return clay::Error::kOutOfRange;
  }
  return model.any_added(first, count) ? clay::Result<>(clay::Error::kExists) : clay::Result<>();
}

} // namespace

Memory::Memory(const MemoryShape& shape)
    : pages_((shape.lead + shape.frames) * clay::kPageBytes, clay::kPageBytes),
      frames_(shape.frames * sizeof(clay::PageFrame), 64), count_(shape.frames),
      mapped_at_(pages_.bytes().data() + shape.lead * clay::kPageBytes),
      allocator({first_number(shape), {first_of(frames_), shape.frames}, mapped_at_}),
      model(first_number(shape), shape.frames) {}

uint64_t Memory::first_number(const MemoryShape& shape) const {
  return shape.direct_map ? reinterpret_cast<uintptr_t>(mapped_at_) / clay::kPageBytes
                          : shape.first;
}

bool Memory::add_range(uint64_t first, size_t count) {
  const bool has_zero = first == 0 && count > 0; // never handed out
  const uint64_t from = has_zero ? 1 : first;
  const size_t rest = has_zero ? count - 1 : count;
  const clay::Result<> want = verdict(model, from, rest);
  const bool adds = want.ok() && rest > 0;
  if (adds) {
    // Before the call: others may be handed its pages before that returns.
    model.set(static_cast<size_t>(from - model.first()), rest, Frame::kFree);
  }
  const clay::Result<> got = allocator.add_range(first, count);
  KILN_CHECK(got.ok() == want.ok(), "a range of %zu frames is %s", count,
             got.ok() ? "added" : "refused");
  KILN_CHECK(got.ok() || got.error() == want.error(), "a range is refused because %s",
             clay::error_text(got.error()));
  return adds;
}

void Memory::take(size_t index, size_t count) {
  for (size_t i = index; i < index + count; ++i) {
    KILN_CHECK(i < count_, "a block of %zu pages goes beyond the last frame", count);
    const Frame was = model.at(i);
    KILN_CHECK(was != Frame::kAbsent, "page %zu of %zu handed out was never added", i - index,
               count);
    KILN_CHECK(was != Frame::kHeld, "page %zu of %zu handed out is somebody's", i - index, count);
    KILN_CHECK(model.first() + i != 0, "frame 0 is handed out");
    model.set(i, Frame::kHeld);
  }
}

bool Memory::is_taken(size_t index) {
  return look_at(frame(index)->state) == clay::FrameState::kTaken;
}

void Memory::note_cached() {
  for (size_t i = 0; i < count_; ++i) {
    if (model.at(i) == Frame::kFree || model.at(i) == Frame::kCached) {
      const bool cached = look_at(frame(i)->state) == clay::FrameState::kCached;
      model.set(i, cached ? Frame::kCached : Frame::kFree);
    }
  }
}

void Memory::check_books(const Traffic& traffic) {
  const uint64_t begun = traffic.begun;
  const bool quiet = traffic.quiet();
  note_cached();
  const clay::PageStatistics seen = allocator.statistics();
  size_t in_blocks = 0;
  for (unsigned order = 0; order <= clay::kMaxOrder; ++order) {
    in_blocks += seen.free_blocks[order] << order;
  }
  KILN_CHECK(in_blocks == seen.free,
             "%zu pages are free, and %zu in free blocks at the same moment", seen.free, in_blocks);
  if (!quiet || !traffic.quiet() || traffic.begun != begun) {
    return;
  }
  KILN_CHECK(seen.managed == model.managed(), "%zu pages are managed, and %zu were added",
             seen.managed, model.managed());
  KILN_CHECK(seen.free == model.count(Frame::kFree), "%zu pages are free, not %zu", seen.free,
             model.count(Frame::kFree));
  for (size_t i = 0; i < count_; ++i) {
    const bool free = model.at(i) == Frame::kFree || model.at(i) == Frame::kCached;
    KILN_CHECK(!free || is_nobodys(address_of(i), clay::kPageBytes), "a free page can be used");
  }
  const auto blocks = model.free_blocks();
  for (unsigned order = 0; order <= clay::kMaxOrder; ++order) {
    KILN_CHECK(seen.free_blocks[order] == blocks[order],
               "there are %zu free blocks of order %u; joined as far as can be there are %zu",
               seen.free_blocks[order], order, blocks[order]);
  }
}

} // namespace kiln::mm
