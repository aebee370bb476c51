#pragma once
// The page allocator's contract on a bitmap: which frames were added, which somebody has, and what
// follows for the free ones. Written from kernel-src/mm/page_allocator.h, without orders or lists.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel-src/mm/page_frame.h"

namespace kiln::mm {

enum class Frame : uint8_t { kAbsent, kFree, kCached, kHeld };

class PageModel {
 public:
  PageModel(uint64_t first, size_t frames) : first_(first), frames_(frames, Frame::kAbsent) {}

  uint64_t first() const { return first_; }
  size_t size() const { return frames_.size(); }
  Frame at(size_t index) const { return frames_[index]; }
  void set(size_t index, Frame frame) { frames_[index] = frame; }
  void set(size_t index, size_t count, Frame frame);

  /// Whether [first, first + count) may be added, as numbers; frame 0 is left out of it.
  bool in_window(uint64_t first, uint64_t count) const;
  bool any_added(uint64_t first, uint64_t count) const;

  size_t managed() const;
  size_t count(Frame frame) const;
  bool all(size_t index, size_t count, Frame frame) const;

  /// Whether there is a free block of that order: a run of free frames that begins at a multiple.
  bool has_block(unsigned order) const;
  /// Free blocks by order, when each is as large as can be.
  std::array<size_t, clay::kMaxOrder + 1> free_blocks() const;
  /// Order of the largest block of free frames that begins there.
  unsigned largest_at(size_t index) const;

 private:
  uint64_t first_;
  std::vector<Frame> frames_;
};

} // namespace kiln::mm
