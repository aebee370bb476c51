#include "kernel-src/mm/stale_ranges.h"

#include "kernel-src/hal/mmu.h"
#include "kernel-src/lib/assert.h"

namespace clay {

/// Whether they overlap, or no address lies between them.
bool StaleRanges::Range::meets(const Range& other) const {
  const bool below = last < other.first && other.first - last > 1;
  const bool above = first > other.last && first - other.last > 1;
  return !below && !above;
}

/// And whatever lies between.
void StaleRanges::Range::include(const Range& other) {
  first = other.first < first ? other.first : first;
  last = other.last > last ? other.last : last;
}

/// Those that meet a new one go into it. What it meets by becoming longer, one of them would have
/// met: once through is enough.
void StaleRanges::take_out(Range& added) {
  for (unsigned at = 0; at < count_;) {
    if (ranges_[at].meets(added)) {
      added.include(ranges_[at]);
      ranges_[at] = ranges_[--count_];
    } else {
      ++at;
    }
  }
}

void StaleRanges::add(uint64_t first, uint64_t last) {
  CLAY_ASSERT(first <= last);
  Range added{first, last};
  take_out(added);
  if (count_ == kMost) {
    added.include(ranges_[--count_]);
    take_out(added); // what lay between
  }
  ranges_[count_++] = added;
}

void StaleRanges::forget_here() const {
  for (unsigned i = 0; i < count_; ++i) {
    hal_tlb_flush_local(root_, ranges_[i].first, ranges_[i].last);
  }
}

} // namespace clay
