#pragma once
// A small machine memory for the tests of kernel-src/mm: 64 pages that begin a block of theirs.

#include "kernel-src/mm/heap.h"
#include "sim/exact_block.h"
#include "sim/sanitizer.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {

struct SmallMemory {
  static constexpr size_t kPages = 64;

  sim::ExactBlock bytes{2 * kPages * clay::kPageBytes, clay::kPageBytes};
  sim::ExactBlock frames{kPages * sizeof(clay::PageFrame), 64};
  /// Mapped where its frames' numbers say.
  uint64_t first = (reinterpret_cast<uintptr_t>(bytes.bytes().data()) / clay::kPageBytes + kPages) /
                   kPages * kPages;
  clay::PageAllocator pages{{first,
                             {reinterpret_cast<clay::PageFrame*>(frames.bytes().data()), kPages},
                             reinterpret_cast<uint8_t*>(first* clay::kPageBytes)}};
  clay::PageCache cache{pages};

  SmallMemory() { KILN_CHECK(pages.add_range(first, kPages).ok(), "the range is refused"); }

  clay::PageFrame& take(unsigned order) {
    clay::PageFrame* block = pages.allocate(order);
    KILN_CHECK(block != nullptr, "no block of order %u", order);
    return *block;
  }
};

/// An access to memory that nobody has; told only where the sanitizer is in.
inline void expect_bad_access(Body body) {
  if (sim::kAsan) {
    expect_breaks(body, sim::Rule::kAddress);
  }
}

} // namespace kiln::test
