// What the targets cannot do without a finding: misuse. And a few plain facts.

#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

TEST(PageAllocator, SplitsAndJoins) {
  expect_silent_in_order([](sim::Run&) {
    SmallMemory memory;
    KILN_CHECK(memory.pages.statistics().free_blocks[6] == 1, "64 aligned pages are one block");
    clay::PageFrame& page = memory.take(0);
    const clay::PageStatistics split = memory.pages.statistics();
    for (unsigned order = 0; order < 6; ++order) {
      KILN_CHECK(split.free_blocks[order] == 1, "order %u", order);
    }
    memory.pages.free(page, 0);
    KILN_CHECK(memory.pages.statistics().free_blocks[6] == 1, "not joined again");
  });
}

TEST(PageAllocator, NeverHandsOutFrameZero) {
  expect_silent_in_order([](sim::Run&) {
    sim::ExactBlock bytes(2 * clay::kPageBytes, clay::kPageBytes);
    sim::ExactBlock frames(2 * sizeof(clay::PageFrame), 64);
    clay::PageAllocator pages(
        {0, {reinterpret_cast<clay::PageFrame*>(frames.bytes().data()), 2}, bytes.bytes().data()});
    KILN_CHECK(pages.add_range(0, 2).ok() && pages.managed() == 1, "frame 0 is managed");
    clay::PageFrame* page = pages.allocate(0);
    KILN_CHECK(page != nullptr && pages.number_of(*page) == 1, "not frame 1");
    KILN_CHECK(pages.allocate(0) == nullptr, "frame 0 is handed out");
    pages.free(*page, 0);
  });
}

TEST(PageAllocator, FreedTwiceIsABug) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::PageFrame& page = memory.take(0);
        memory.take(0);
        memory.pages.free(page, 0);
        memory.pages.free(page, 0);
      },
      sim::Rule::kPanic);
}

TEST(PageAllocator, FreedAsAnotherOrderIsABug) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        memory.pages.free(memory.take(2), 1);
      },
      sim::Rule::kPanic);
}

TEST(PageAllocator, FreedFromTheMiddleIsABug) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::PageFrame& block = memory.take(1);
        memory.pages.free(memory.pages.frame_of(memory.pages.address_of(block) + 4096), 0);
      },
      sim::Rule::kPanic);
}

TEST(PageAllocator, FreeToTheCacheAndToTheAllocatorIsABug) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::PageFrame& page = memory.take(0);
        memory.cache.free(page);
        memory.pages.free(page, 0);
      },
      sim::Rule::kPanic);
}

TEST(PageAllocator, APageThatIsNotGivenBackIsFound) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        memory.take(3);
      },
      sim::Rule::kPanic);
}

TEST(PageAllocator, AFreePageIsNobodys) {
  expect_bad_access([](sim::Run&) {
    SmallMemory memory;
    clay::PageFrame& page = memory.take(0);
    uint8_t* const at = memory.pages.address_of(page);
    memory.pages.free(page, 0);
    at[100] = 1;
  });
}

TEST(PageAllocator, ACachedPageIsNobodys) {
  expect_bad_access([](sim::Run&) {
    SmallMemory memory;
    clay::PageFrame* page = memory.cache.allocate();
    uint8_t* const at = memory.pages.address_of(*page);
    memory.cache.free(*page);
    at[4095] = 1;
  });
}

TEST(PageAllocator, IsNotAskedWithAnAllocatorsLockHeld) {
  expect_breaks(
      [](sim::Run&) {
        static constinit clay::LockClass mine{"test-pool", kHalOfAllocator};
        SmallMemory memory;
        clay::IrqSpinLock lock(mine);
        clay::IrqSpinGuard guard(lock);
        memory.pages.free(memory.take(0), 0);
      },
      sim::Rule::kAllocUnderLock);
}

TEST(PageAllocator, FailsWhenTheMachineWantsItTo) {
  expect_silent_in_order([](sim::Run& run) {
    SmallMemory memory;
    run.machine.fail_allocation(1);
    clay::PageFrame& page = memory.take(0);
    KILN_CHECK(memory.pages.allocate(0) == nullptr, "the second allocation does not fail");
    memory.pages.free(page, 0);
  });
}

} // namespace
} // namespace kiln::test
