#pragma once
// Which ranges of addresses somebody has, and what follows for the next one: written from
// kernel-src/mm/address_ranges.h, on a map of ranges and without records of gaps.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kiln::mm {

class RangeModel {
 public:
  static constexpr uint64_t kPage = 4096;

  /// Both ends included.
  RangeModel(uint64_t first, uint64_t last) : first_(first), last_(last) {}

  /// Where a range must be put; none: there is no room.
  std::optional<uint64_t> place_for(uint64_t bytes, uint64_t align) const;
  /// Judges where one was put, and notes it.
  void add(uint64_t address, uint64_t bytes, uint64_t align);
  void remove(uint64_t address) { ranges_.erase(address); }
  /// Address and bytes of the range that holds an address.
  std::optional<std::pair<uint64_t, uint64_t>> find(uint64_t address) const;
  /// Between ranges, without what must stay empty.
  size_t gaps() const { return all_gaps().size(); }
  /// Bytes of all of them.
  uint64_t room() const;
  uint64_t largest() const { return last_ - first_ + 1 - 2 * kPage; }

 private:
  using Wide = unsigned __int128;
  struct Gap {
    Wide first;
    Wide end; ///< the range after it, or the window's end
  };
  std::vector<Gap> all_gaps() const;

  uint64_t first_;
  uint64_t last_;
  std::map<uint64_t, uint64_t> ranges_; ///< address to bytes
};

} // namespace kiln::mm
