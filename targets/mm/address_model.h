#pragma once
// What an address space maps, as intervals: written from kernel-src/mm/page_table.h, without
// tables.

#include <cstdint>
#include <map>
#include <optional>

#include "targets/mm/mmu.h"

namespace kiln::mm {

class AddressModel {
 public:
  struct Interval {
    uint64_t last;
    uint64_t physical; ///< of the first address
    Rights rights;
  };
  struct Found {
    uint64_t physical;
    Rights rights;
  };

  // Ranges [first, last].
  bool any(uint64_t first, uint64_t last) const;
  bool all(uint64_t first, uint64_t last) const;
  void map(uint64_t first, uint64_t last, uint64_t physical, const Rights& rights);
  void unmap(uint64_t first, uint64_t last);
  void protect(uint64_t first, uint64_t last, const Rights& rights);

  std::optional<Found> find(uint64_t address) const;
  /// Whether all of a page is mapped to where it says, with at least these rights.
  bool justifies(const Mmu::Page& page) const;
  uint64_t bytes() const;
  /// The n-th interval, modulo their number; null when there is none.
  const std::pair<const uint64_t, Interval>* pick(uint64_t n) const;

 private:
  /// No interval lies on both sides of an address afterwards.
  void cut(uint64_t at);
  void cut_around(uint64_t first, uint64_t last);
  std::map<uint64_t, Interval>::const_iterator at_or_below(uint64_t address) const;

  std::map<uint64_t, Interval> intervals_;
};

} // namespace kiln::mm
