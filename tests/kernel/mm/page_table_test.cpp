// Page tables and the mapping window: the order of things, and misuse. The targets have an MMU.

#include "hal-host/tlb.h"
#include "kernel-src/mm/mapping_window.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

constexpr uint64_t kLarge = uint64_t{2} << 20;
constexpr uint64_t kAddress = 0xFFFF'8000'4000'0000;

struct Tables : SmallMemory {
  clay::PageTable table{cache, 46};
  unsigned flushes = 0;

  Tables() {
    KILN_CHECK(table.start().ok(), "no top table");
    hal_host::on_tlb_flush([](void* self, unsigned, uint64_t, uint64_t,
                              uint64_t) { ++static_cast<Tables*>(self)->flushes; },
                           this);
  }
  ~Tables() { hal_host::on_tlb_flush(nullptr, nullptr); }
};

TEST(PageTable, UsesLargePagesAndSplitsThem) {
  expect_silent_in_order([](sim::Run&) {
    Tables t;
    KILN_CHECK(t.table.map(kAddress, 0, 2 * kLarge, {.write = true}).ok(), "not mapped");
    KILN_CHECK(t.table.tables() == 3, "%zu tables for large pages", t.table.tables());
    KILN_CHECK(t.flushes == 0, "a flush for what was not there");
    KILN_CHECK(t.table.protect(kAddress + 4096, 4096, {.execute = true}).ok(), "not changed");
    KILN_CHECK(t.table.tables() == 4, "%zu tables after a split", t.table.tables());
    const auto below = t.table.find(kAddress + 4095);
    const auto here = t.table.find(kAddress + 4096);
    KILN_CHECK(below.value().rights.write && !here.value().rights.write, "rights");
    KILN_CHECK(here.value().physical == 4096 && here.value().page_bytes == 4096, "place");
    KILN_CHECK(t.table.unmap(kAddress, 2 * kLarge).ok(), "not unmapped");
    KILN_CHECK(t.table.tables() == 1 && t.flushes == 2, "%u flushes", t.flushes);
  });
}

TEST(PageTable, AFailedMapChangesNothing) {
  expect_silent_in_order([](sim::Run& run) {
    Tables t;
    run.machine.fail_allocation(0);
    t.cache.drain();
    clay::PageFrame* const hog = t.pages.allocate_run(t.pages.free_pages() - 2);
    KILN_CHECK(hog == nullptr, "the machine let it pass");
    clay::PageFrame* const rest = t.pages.allocate(5);
    KILN_CHECK(
        t.table.map(kAddress - kLarge, 4096, 70 * kLarge, {}).failed_with(clay::Error::kNoMemory),
        "there was memory");
    KILN_CHECK(t.table.tables() == 1, "%zu tables are left", t.table.tables());
    t.pages.free(*rest, 5);
  });
}

constinit clay::LockClass test_class{"page-table-test"};

/// An operation, with a lock held that somebody may spin for with interrupts off: CPUs might have
/// to be waited for, though they need not be this time.
template <auto kOperate> void expect_breaks_with_irqs_off() {
  expect_breaks(
      [](sim::Run&) {
        Tables t;
        clay::IrqSpinLock lock(test_class);
        clay::IrqSpinGuard guard(lock);
        kOperate(t.table);
      },
      sim::Rule::kSleepInAtomic);
}

TEST(PageTable, AnIrqSpinLockHeldIsABug) {
  using clay::PageTable;
  expect_breaks_with_irqs_off<[](PageTable& t) { (void)t.map(kAddress, 0, 4096, {}); }>();
  expect_breaks_with_irqs_off<[](PageTable& t) { (void)t.unmap(kAddress, 4096); }>();
  expect_breaks_with_irqs_off<[](PageTable& t) { (void)t.protect(kAddress, 4096, {}); }>();
  expect_breaks_with_irqs_off<[](PageTable& t) { (void)t.reserve(kAddress, 4096); }>();
  expect_breaks_with_irqs_off<[](PageTable& t) { t.unreserve(kAddress, 0); }>();
}

TEST(MappingWindow, FillsUpAndEmpties) {
  expect_silent_in_order([](sim::Run&) {
    Tables t;
    clay::MappingWindow window(t.table, kAddress, 2);
    KILN_CHECK(window.start().ok(), "no window");
    const uint64_t a = window.map(4096).value();
    const uint64_t b = window.map(8192).value();
    KILN_CHECK(a != b && t.table.find(b + 5).value().physical == 8197, "place");
    KILN_CHECK(window.map(0).failed_with(clay::Error::kTooMany), "a third slot");
    window.unmap(a);
    KILN_CHECK(window.map(uint64_t{1} << 46).failed_with(clay::Error::kOutOfRange), "46 bits");
    KILN_CHECK(window.map(0).value() == a, "the free slot");
    window.unmap(a);
    window.unmap(b);
  });
}

TEST(MappingWindow, AMappingLeftIsABug) {
  expect_breaks(
      [](sim::Run&) {
        Tables t;
        clay::MappingWindow window(t.table, kAddress, 2);
        KILN_CHECK(window.start().ok() && window.map(0).ok(), "no window");
      },
      sim::Rule::kPanic);
}

TEST(MappingWindow, UnmappedTwiceIsABug) {
  expect_breaks(
      [](sim::Run&) {
        Tables t;
        clay::MappingWindow window(t.table, kAddress, 2);
        KILN_CHECK(window.start().ok(), "no window");
        const uint64_t address = window.map(0).value();
        window.unmap(address);
        window.unmap(address);
      },
      sim::Rule::kPanic);
}

} // namespace
} // namespace kiln::test
