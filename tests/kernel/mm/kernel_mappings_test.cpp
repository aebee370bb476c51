// Mappings of devices and memory: places, what they take and give back, and misuse. The targets
// have an MMU.

#include "kernel-src/mm/kernel_mappings.h"
#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

using clay::Error;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLarge = uint64_t{2} << 20;
constexpr uint64_t kFirst = 0xFFFF'C900'0000'0000;

struct Mappings : SmallMemory {
  clay::PageTable table{cache, 46};
  clay::AddressRanges ranges{cache, {kFirst, kFirst + 4 * kLarge - 1}};
  clay::KernelMappings mappings{table, ranges, cache};

  Mappings() { KILN_CHECK(table.start().ok() && ranges.start().ok(), "not started"); }
  size_t free() { return pages.free_pages() + cache.cached(); }
};

TEST(KernelMappings, ADeviceIsFoundOnTheSamePlaceOfItsPage) {
  expect_silent_in_order([](sim::Run&) {
    Mappings m;
    const uint64_t at = m.mappings.map_device(0xFEB0'0F10, 0x200, {.write = true}).value();
    KILN_CHECK(at % kPage == 0xF10, "place in its page");
    KILN_CHECK(m.table.find(at).value().physical == 0xFEB0'0F10, "the first byte");
    KILN_CHECK(m.table.find(at + 0x1FF).value().physical == 0xFEB0'110F, "the last, a page on");
    KILN_CHECK(m.table.find(at + kPage + 0xF0).failed_with(Error::kNotFound), "the guard page");
    m.mappings.unmap(at);
    KILN_CHECK(m.table.find(at).failed_with(Error::kNotFound) && m.table.tables() == 1, "unmapped");
  });
}

TEST(KernelMappings, ADeviceHasLargePagesWhereTheyFit) {
  expect_silent_in_order([](sim::Run&) {
    Mappings m;
    const uint64_t a = m.mappings.map_device(4 * kLarge, kLarge, {}).value();
    KILN_CHECK(m.table.find(a).value().page_bytes == kLarge, "no large page");
    const uint64_t b = m.mappings.map_device(4 * kLarge, kLarge, {}).value();
    KILN_CHECK(m.mappings.map_device(4 * kLarge, 2 * kLarge, {}).failed_with(Error::kNoSpace),
               "there was room");
    m.mappings.unmap(a);
    m.mappings.unmap(b);
  });
}

TEST(KernelMappings, RefusesAndKeepsNothing) {
  expect_silent_in_order([](sim::Run&) {
    Mappings m;
    KILN_CHECK(m.mappings.map_device(0, 0, {}).failed_with(Error::kInvalid), "no bytes");
    KILN_CHECK(m.mappings.map_device(1, UINT64_MAX, {}).failed_with(Error::kOutOfRange), "wraps");
    KILN_CHECK(
        m.mappings.map_device((uint64_t{1} << 46) - 1, 2, {}).failed_with(Error::kOutOfRange),
        "47 bits");
    KILN_CHECK(m.mappings.map_device(0, 1, {.write = true, .execute = true})
                   .failed_with(Error::kNotPermitted),
               "to be written and executed");
    KILN_CHECK(m.mappings.allocate(0).failed_with(Error::kInvalid), "no memory");
    KILN_CHECK(m.mappings.allocate(UINT64_MAX).failed_with(Error::kNoMemory), "all memory");
    const size_t free = m.free();
    KILN_CHECK(m.mappings.allocate(62 * kPage).failed_with(Error::kNoMemory), "and tables");
    KILN_CHECK(m.free() == free && m.ranges.gaps() == 1 && m.table.tables() == 1,
               "something stays");
  });
}

TEST(KernelMappings, MemoryGoesBack) {
  expect_silent_in_order([](sim::Run&) {
    Mappings m;
    const size_t free = m.free();
    const uint64_t at = m.mappings.allocate(3 * kPage - 1).value();
    KILN_CHECK(m.free() == free - 3 - 3, "%zu pages taken", free - m.free());
    KILN_CHECK(m.table.find(at + 2 * kPage).value().rights.write, "not to be written");
    m.mappings.unmap(at);
    KILN_CHECK(m.free() == free, "%zu pages are left", free - m.free());
  });
}

TEST(KernelMappings, ADeviceIsUnmappedByAnyAddressInItsFirstPage) {
  expect_silent_in_order([](sim::Run&) {
    Mappings m;
    for (const uint64_t at : {uint64_t{0}, uint64_t{0xF10}, kPage - 1}) {
      const uint64_t got = m.mappings.map_device(0xFEB0'0F10, 2 * kPage, {}).value();
      m.mappings.unmap(got - 0xF10 + at);
      KILN_CHECK(m.ranges.gaps() == 1 && m.table.tables() == 1, "by byte %llx of it",
                 static_cast<unsigned long long>(at));
    }
  });
}

/// kAddress(mappings) says what is unmapped.
template <auto kAddress> void expect_unmap_breaks() {
  expect_breaks(
      [](sim::Run&) {
        Mappings m;
        m.mappings.unmap(kAddress(m));
      },
      sim::Rule::kPanic);
}

TEST(KernelMappings, UnmappedInTheMiddleIsABug) {
  expect_unmap_breaks<[](Mappings& m) { return m.mappings.allocate(2 * kPage).value() + kPage; }>();
  expect_unmap_breaks<[](Mappings& m) { return m.mappings.allocate(2 * kPage).value() + 1; }>();
  expect_unmap_breaks<[](Mappings& m) {
    return m.mappings.map_device(0, 2 * kPage, {}).value() + kPage;
  }>();
}

TEST(KernelMappings, UnmappedTwiceIsABug) {
  expect_unmap_breaks<[](Mappings& m) {
    const uint64_t at = m.mappings.allocate(kPage).value();
    m.mappings.unmap(at);
    return at;
  }>();
}

TEST(KernelMappings, ToUnmapWhatSomebodyElseTookIsABug) {
  expect_unmap_breaks<[](Mappings& m) { return m.ranges.allocate(kPage).value(); }>();
  expect_unmap_breaks<[](Mappings& m) { return m.ranges.allocate(kPage, kPage, 0x81).value(); }>();
}

} // namespace
} // namespace kiln::test
