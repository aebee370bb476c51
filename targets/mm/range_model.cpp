#include "targets/mm/range_model.h"

#include <iterator>

#include "sim/machine.h"

namespace kiln::mm {
namespace {

using ull = unsigned long long;

} // namespace

std::vector<RangeModel::Gap> RangeModel::all_gaps() const {
  std::vector<Gap> gaps;
  Wide from = Wide{first_} + kPage;
  for (const auto& [address, bytes] : ranges_) {
    if (from < address) {
      gaps.push_back({from, address});
    }
    from = Wide{address} + bytes + kPage;
  }
  if (from < Wide{last_} + 1) {
    gaps.push_back({from, Wide{last_} + 1});
  }
  return gaps;
}

uint64_t RangeModel::room() const {
  uint64_t bytes = 0;
  for (const Gap& gap : all_gaps()) {
    bytes += static_cast<uint64_t>(gap.end - gap.first);
  }
  return bytes;
}

std::optional<uint64_t> RangeModel::place_for(uint64_t bytes, uint64_t align) const {
  std::optional<uint64_t> best;
  Wide best_size = 0;
  for (const Gap& gap : all_gaps()) { // by address: the first of its size stays
    const Wide at = (gap.first + align - 1) / align * align;
    const Wide size = gap.end - gap.first;
    if (at + bytes + kPage <= gap.end && (!best || size < best_size)) {
      best = static_cast<uint64_t>(at);
      best_size = size;
    }
  }
  return best;
}

void RangeModel::add(uint64_t address, uint64_t bytes, uint64_t align) {
  KILN_CHECK(address % align == 0, "a range at %llx is not aligned to %llx",
             static_cast<ull>(address), static_cast<ull>(align));
  const Wide end = Wide{address} + bytes;
  KILN_CHECK(address >= Wide{first_} + kPage && end + kPage <= Wide{last_} + 1,
             "a range of %llx bytes at %llx goes beyond what may be used", static_cast<ull>(bytes),
             static_cast<ull>(address));
  const auto above = ranges_.upper_bound(address);
  KILN_CHECK(above == ranges_.end() || end + kPage <= above->first,
             "a range of %llx bytes at %llx reaches the one at %llx", static_cast<ull>(bytes),
             static_cast<ull>(address), static_cast<ull>(above->first));
  if (above != ranges_.begin()) {
    const auto below = std::prev(above);
    KILN_CHECK(Wide{below->first} + below->second + kPage <= address,
               "a range at %llx lies in the one at %llx, or right behind it",
               static_cast<ull>(address), static_cast<ull>(below->first));
  }
  ranges_[address] = bytes;
}

std::optional<std::pair<uint64_t, uint64_t>> RangeModel::find(uint64_t address) const {
  const auto above = ranges_.upper_bound(address);
  if (above == ranges_.begin()) {
    return std::nullopt;
  }
  const auto at = std::prev(above);
  return address - at->first < at->second ? std::optional(std::pair(at->first, at->second))
                                          : std::nullopt;
}

} // namespace kiln::mm
