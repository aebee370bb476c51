#include "targets/mm/page_model.h"

#include <algorithm>

namespace kiln::mm {

void PageModel::set(size_t index, size_t count, Frame frame) {
  std::fill_n(frames_.begin() + static_cast<ptrdiff_t>(index), count, frame);
}

bool PageModel::in_window(uint64_t first, uint64_t count) const {
  using Wide = unsigned __int128;
  return first >= first_ && Wide{first} + count <= Wide{first_} + frames_.size();
}

bool PageModel::any_added(uint64_t first, uint64_t count) const {
  const size_t index = static_cast<size_t>(first - first_);
  return !all(index, static_cast<size_t>(count), Frame::kAbsent);
}

size_t PageModel::count(Frame frame) const {
  return static_cast<size_t>(std::count(frames_.begin(), frames_.end(), frame));
}

size_t PageModel::managed() const { return frames_.size() - count(Frame::kAbsent); }

bool PageModel::all(size_t index, size_t count, Frame frame) const {
  const auto from = frames_.begin() + static_cast<ptrdiff_t>(index);
  return std::all_of(from, from + static_cast<ptrdiff_t>(count),
                     [frame](Frame f) { return f == frame; });
}

unsigned PageModel::largest_at(size_t index) const {
  unsigned order = 0;
  while (order < clay::kMaxOrder) {
    const size_t pages = size_t{2} << order;
    if ((first_ + index) % pages != 0 || pages > frames_.size() - index ||
        !all(index, pages, Frame::kFree)) {
      break;
    }
    ++order;
  }
  return order;
}

bool PageModel::has_block(unsigned order) const {
  const auto blocks = free_blocks();
  return std::any_of(blocks.begin() + order, blocks.end(), [](size_t n) { return n != 0; });
}

std::array<size_t, clay::kMaxOrder + 1> PageModel::free_blocks() const {
  std::array<size_t, clay::kMaxOrder + 1> blocks{};
  for (size_t index = 0; index < frames_.size();) {
    if (frames_[index] != Frame::kFree) {
      ++index;
      continue;
    }
    const unsigned order = largest_at(index);
    ++blocks[order];
    index += size_t{1} << order;
  }
  return blocks;
}

} // namespace kiln::mm
