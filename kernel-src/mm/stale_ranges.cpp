#include "kernel-src/mm/stale_ranges.h"

#include "kernel-src/hal/mmu.h"
#include "kernel-src/lib/assert.h"

namespace clay {

void StaleRanges::add(uint64_t first, uint64_t last) {
  CLAY_ASSERT(first <= last);
  unsigned at = 0;
  while (at < count_ && (last < ranges_[at].first || first > ranges_[at].last)) {
    ++at;
  }
  if (at == count_ && count_ < kMost) {
    ranges_[count_++] = {first, last};
    return;
  }
  Range& longer = ranges_[at < kMost ? at : kMost - 1];
  longer.first = first < longer.first ? first : longer.first;
  longer.last = last > longer.last ? last : longer.last;
}

void StaleRanges::forget_here() const {
  for (unsigned i = 0; i < count_; ++i) {
    hal_tlb_flush_local(root_, ranges_[i].first, ranges_[i].last);
  }
}

} // namespace clay
