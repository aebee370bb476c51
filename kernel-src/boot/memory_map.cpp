#include "kernel-src/boot/memory_map.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/enum_text.h"

namespace clay {
namespace {

constexpr uint64_t length_of(uint64_t first, uint64_t last) {
  return saturating_add<uint64_t>(last - first, 1);
}

constexpr uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
constexpr uint64_t larger(uint64_t a, uint64_t b) { return a < b ? b : a; }

/// Makes a list, sorted as it comes; neighbours of one type are joined.
class ListMaker {
 public:
  explicit ListMaker(Span<MemoryRange> out) : out_(out) {}

  void put(uint64_t first, uint64_t last, MemoryType type) {
    if (size_ != 0 && out_[size_ - 1].type == type && out_[size_ - 1].last + 1 == first) {
      out_[size_ - 1].last = last;
    } else if (size_ < out_.size()) {
      out_[size_++] = {first, last, type};
    } else {
      full_ = true;
    }
  }
  size_t size() const { return size_; }
  bool full() const { return full_; }

 private:
  Span<MemoryRange> out_;
  size_t size_ = 0;
  bool full_ = false;
};

} // namespace

const char* memory_type_name(MemoryType type) {
  static constexpr const char* kTexts[] = {CLAY_MEMORY_TYPES(CLAY_TEXT_OF)};
  return text_of(kTexts, type);
}

Result<void> MemoryMap::add(uint64_t first, uint64_t last, MemoryType type) {
  if (last < first) {
    return Error::kInvalid;
  }
  if (type == MemoryType::kUsable && !complete_) {
    given_up_ = saturating_add(given_up_, length_of(first, last));
    return Error::kNoSpace;
  }
  // Below the range that may be joined with it nothing changes.
  const size_t kept = first == 0 ? 0 : index_at(first - 1);
  ListMaker next{Span<MemoryRange>(next_).from(kept)};
  uint64_t at = first; // [at, last] is still to be placed
  bool placed = false;
  for (const MemoryRange& range : ranges().from(kept)) {
    if (placed || range.last < at) {
      next.put(range.first, range.last, range.type);
      continue;
    }
    if (range.first < at) {
      next.put(range.first, at - 1, range.type);
    } else if (range.first > at) {
      next.put(at, smaller(range.first - 1, last), type);
    }
    if (range.first > last) {
      placed = true;
      next.put(range.first, range.last, range.type);
      continue;
    }
    const uint64_t until = smaller(range.last, last);
    next.put(larger(range.first, at), until, range.type < type ? type : range.type);
    if (range.last > last) {
      next.put(last + 1, range.last, range.type);
    }
    placed = until == last;
    at = placed ? at : until + 1;
  }
  if (!placed) {
    next.put(at, last, type);
  }
  if (next.full()) {
    complete_ = false;
    if (type == MemoryType::kUsable) {
      given_up_ = saturating_add(given_up_, length_of(first, last));
    } else {
      forget_usable(first, last);
    }
    return Error::kNoSpace;
  }
  size_ = kept + next.size();
  memcpy(ranges_ + kept, next_ + kept, next.size() * sizeof(MemoryRange));
  return {};
}

/// Of usable memory on both sides of the hole only the larger part stays, the lower one of equals:
/// the list does not grow.
void MemoryMap::forget_usable(uint64_t first, uint64_t last) {
  size_t kept = 0;
  for (size_t i = 0; i < size_; ++i) {
    MemoryRange range = ranges_[i];
    if (range.type == MemoryType::kUsable && range.first <= last && range.last >= first) {
      const uint64_t below = range.first < first ? first - range.first : 0;
      const uint64_t above = range.last > last ? range.last - last : 0;
      const uint64_t before = length_of(range.first, range.last);
      given_up_ = saturating_add(given_up_, before - larger(below, above));
      if (below == 0 && above == 0) {
        continue;
      }
      range = below >= above ? MemoryRange{range.first, first - 1, range.type}
                             : MemoryRange{last + 1, range.last, range.type};
    }
    ranges_[kept++] = range;
  }
  size_ = kept;
}

size_t MemoryMap::index_at(uint64_t address) const {
  size_t begin = 0;
  size_t end = size_;
  while (begin != end) {
    const size_t middle = begin + (end - begin) / 2;
    if (ranges_[middle].last < address) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

Result<MemoryType> MemoryMap::at(uint64_t address) const {
  const size_t index = index_at(address);
  if (index == size_ || ranges_[index].first > address) {
    return Error::kNotFound;
  }
  return ranges_[index].type;
}

bool MemoryMap::is_all(uint64_t first, uint64_t last, MemoryType type) const {
  const size_t index = index_at(first);
  if (index == size_) {
    return false;
  }
  const MemoryRange& range = ranges_[index];
  return range.first <= first && first <= last && last <= range.last && range.type == type;
}

MemoryMap::PageRun MemoryMap::usable_pages(uint64_t from) const {
  const uint64_t lowest = larger(from, 1);
  if (lowest > UINT64_MAX / kPage) {
    return {0, 0};
  }
  for (size_t i = index_at(lowest * kPage); i < size_; ++i) {
    const MemoryRange& range = ranges_[i];
    if (range.type != MemoryType::kUsable) {
      continue;
    }
    const uint64_t first = larger(divide_up(range.first, kPage), lowest);
    const uint64_t inside_last_page = range.last % kPage;
    const uint64_t end = range.last / kPage + (inside_last_page == kPage - 1 ? 1 : 0);
    if (first < end) {
      return {first, end - first};
    }
  }
  return {0, 0};
}

uint64_t MemoryMap::bytes_of(MemoryType type) const {
  uint64_t bytes = 0;
  for (const MemoryRange& range : ranges()) {
    bytes = saturating_add(bytes, range.type == type ? length_of(range.first, range.last) : 0);
  }
  return bytes;
}

} // namespace clay
