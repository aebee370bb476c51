// Ranges of addresses: places, guard pages, joins, and misuse.

#include "kernel-src/mm/address_ranges.h"
#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

using clay::Error;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kFirst = 0xFFFF'C900'0000'0000;

/// A window of 10 pages: 9 are there for ranges and the guard pages behind them.
struct Window : SmallMemory {
  clay::AddressRanges ranges{cache, {kFirst, kFirst + 10 * kPage - 1}};

  Window() { KILN_CHECK(ranges.start().ok(), "the window is refused"); }
  uint64_t take(uint64_t pages, uint64_t align = kPage) {
    return ranges.allocate(pages * kPage, align).value();
  }
};

TEST(AddressRanges, LeavesAPageBetweenTwoAndAtBothEnds) {
  expect_silent_in_order([](sim::Run&) {
    Window w;
    const uint64_t a = w.take(2);
    const uint64_t b = w.take(5);
    KILN_CHECK(a == kFirst + kPage && b == a + 3 * kPage, "places");
    KILN_CHECK(w.ranges.allocate(kPage).failed_with(Error::kNoSpace), "the last guard page");
    w.ranges.free(a);
    w.ranges.free(b);
  });
}

TEST(AddressRanges, TakesTheSmallestGapAndFillsIt) {
  expect_silent_in_order([](sim::Run&) {
    Window w;
    const uint64_t a = w.take(2);
    const uint64_t b = w.take(1);
    w.ranges.free(a);
    KILN_CHECK(w.ranges.gaps() == 2 && w.take(2) == a && w.ranges.gaps() == 1, "not the small gap");
    w.ranges.free(b);
    w.ranges.free(a);
    KILN_CHECK(w.ranges.gaps() == 1, "%zu gaps", w.ranges.gaps());
  });
}

TEST(AddressRanges, AlignsAndRefuses) {
  expect_silent_in_order([](sim::Run&) {
    Window w;
    const uint64_t a = w.take(2, 4 * kPage);
    KILN_CHECK(a == kFirst + 4 * kPage && w.ranges.gaps() == 2, "place");
    KILN_CHECK(w.ranges.allocate(4 * kPage).failed_with(Error::kNoSpace), "more than either gap");
    KILN_CHECK(w.ranges.allocate(kPage, 16 * kPage).failed_with(Error::kNoSpace), "alignment");
    KILN_CHECK(w.ranges.allocate(0).failed_with(Error::kInvalid), "nothing");
    KILN_CHECK(w.ranges.allocate(kPage, 3 * kPage).failed_with(Error::kInvalid), "alignment 3");
    KILN_CHECK(w.ranges.allocate(UINT64_MAX - (kPage - 1)).failed_with(Error::kNoSpace),
               "all of them");
    w.ranges.free(a);
  });
}

TEST(AddressRanges, FindsWhatHoldsAnAddress) {
  expect_silent_in_order([](sim::Run&) {
    Window w;
    const uint64_t a = w.ranges.allocate(2 * kPage, kPage, 7).value();
    const auto found = w.ranges.find(a + 2 * kPage - 1).value();
    KILN_CHECK(found.address == a && found.bytes == 2 * kPage && found.use == 7, "the range");
    KILN_CHECK(w.ranges.find(a + 2 * kPage).failed_with(Error::kNotFound), "the guard page");
    KILN_CHECK(w.ranges.find(a - 1).failed_with(Error::kNotFound), "the one before");
    KILN_CHECK(w.ranges.find(0).failed_with(Error::kNotFound), "far below");
    w.ranges.free(a);
  });
}

TEST(AddressRanges, RefusesWindowsThatNoCpuHas) {
  expect_silent_in_order([](sim::Run&) {
    SmallMemory memory;
    const auto start = [&](uint64_t first, uint64_t last) {
      return clay::AddressRanges(memory.cache, {first, last}).start();
    };
    KILN_CHECK(
        start((uint64_t{1} << 47) - 4 * kPage, uint64_t{1} << 47).failed_with(Error::kOutOfRange),
        "into the hole");
    KILN_CHECK(start(kPage, UINT64_MAX).failed_with(Error::kOutOfRange), "across the hole");
    KILN_CHECK(start(kFirst, kFirst + 2 * kPage - 1).failed_with(Error::kInvalid), "too small");
    KILN_CHECK(start(kFirst + 1, kFirst + 8 * kPage).failed_with(Error::kInvalid), "no pages");
    KILN_CHECK(start(UINT64_MAX - 3 * kPage + 1, UINT64_MAX).ok(), "the last three pages");
  });
}

TEST(AddressRanges, GivenBackTwiceIsABug) {
  expect_breaks(
      [](sim::Run&) {
        Window w;
        const uint64_t a = w.take(1);
        w.ranges.free(a);
        w.ranges.free(a);
      },
      sim::Rule::kPanic);
}

TEST(AddressRanges, ARangeLeftIsABug) {
  expect_breaks([](sim::Run&) { Window().take(1); }, sim::Rule::kPanic);
}

} // namespace
} // namespace kiln::test
