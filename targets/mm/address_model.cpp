#include "targets/mm/address_model.h"

#include <algorithm>
#include <iterator>

namespace kiln::mm {

/// The interval that holds an address; end() when none does.
std::map<uint64_t, AddressModel::Interval>::const_iterator
AddressModel::at_or_below(uint64_t address) const {
  auto after = intervals_.upper_bound(address);
  if (after == intervals_.begin()) {
    return intervals_.end();
  }
  --after;
  return after->second.last >= address ? after : intervals_.end();
}

bool AddressModel::any(uint64_t first, uint64_t last) const {
  const auto above = intervals_.lower_bound(first);
  return at_or_below(first) != intervals_.end() ||
         (above != intervals_.end() && above->first <= last);
}

bool AddressModel::all(uint64_t first, uint64_t last) const {
  for (uint64_t at = first;;) {
    const auto here = at_or_below(at);
    if (here == intervals_.end()) {
      return false;
    }
    if (here->second.last >= last) {
      return true;
    }
    at = here->second.last + 1;
  }
}

void AddressModel::cut(uint64_t at) {
  const auto here = at_or_below(at);
  if (here == intervals_.end() || here->first == at) {
    return;
  }
  const Interval whole = here->second;
  const uint64_t below = at - here->first;
  intervals_[here->first].last = at - 1;
  intervals_[at] = {whole.last, whole.physical + below, whole.rights};
}

void AddressModel::cut_around(uint64_t first, uint64_t last) {
  cut(first);
  if (last != UINT64_MAX) {
    cut(last + 1);
  }
}

void AddressModel::map(uint64_t first, uint64_t last, uint64_t physical, const Rights& rights) {
  intervals_[first] = {last, physical, rights};
}

void AddressModel::unmap(uint64_t first, uint64_t last) {
  cut_around(first, last);
  intervals_.erase(intervals_.lower_bound(first), intervals_.upper_bound(last));
}

void AddressModel::protect(uint64_t first, uint64_t last, const Rights& rights) {
  cut_around(first, last);
  const auto end = intervals_.upper_bound(last);
  for (auto at = intervals_.lower_bound(first); at != end; ++at) {
    at->second.rights = rights;
  }
}

std::optional<AddressModel::Found> AddressModel::find(uint64_t address) const {
  const auto here = at_or_below(address);
  if (here == intervals_.end()) {
    return std::nullopt;
  }
  return Found{here->second.physical + (address - here->first), here->second.rights};
}

bool AddressModel::justifies(const Mmu::Page& page) const {
  const uint64_t last = page.address + (page.bytes - 1);
  for (uint64_t at = page.address;;) {
    const auto here = at_or_below(at);
    if (here == intervals_.end()) {
      return false;
    }
    const Interval& interval = here->second;
    const bool same_place =
        interval.physical + (at - here->first) == page.physical + (at - page.address);
    if (!same_place || !page.rights.within(interval.rights)) {
      return false;
    }
    if (interval.last >= last) {
      return true;
    }
    at = interval.last + 1;
  }
}

uint64_t AddressModel::bytes() const {
  uint64_t total = 0;
  for (const auto& [first, interval] : intervals_) {
    total += interval.last - first + 1;
  }
  return total;
}

const std::pair<const uint64_t, AddressModel::Interval>* AddressModel::pick(uint64_t n) const {
  if (intervals_.empty()) {
    return nullptr;
  }
  return &*std::next(intervals_.begin(), static_cast<ptrdiff_t>(n % intervals_.size()));
}

} // namespace kiln::mm
