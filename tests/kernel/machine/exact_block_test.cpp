// What lies beside the bytes of an ExactBlock is out of bounds, however many there are.

#include <gtest/gtest.h>
#include <string_view>

#include "sim/exact_block.h"
#include "sim/sanitizer.h"
#include "tests/support/in_machine.h"

namespace kiln {
namespace {

constexpr uint8_t kBytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
volatile uint8_t sink;
volatile ptrdiff_t past = 0;

sim::Outcome read_at(size_t size, ptrdiff_t index) {
  static size_t bytes;
  static ptrdiff_t place;
  bytes = size;
  place = index;
  return test::run_in_machine([](sim::Run&) {
    const sim::ExactBlock block(std::span(kBytes).first(bytes));
    KILN_CHECK(block.bytes().size() == bytes && block.bytes().data() != nullptr, "no block");
    sink = block.bytes().data()[place + past];
  });
}

TEST(ExactBlock, HoldsACopy) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run&) {
    sim::ExactBlock block(kBytes, 64);
    const bool aligned = reinterpret_cast<uintptr_t>(block.bytes().data()) % 64 == 0;
    KILN_CHECK(aligned && block.bytes()[12] == 13, "a copy is wrong");
    block.bytes()[0] = 9;
    KILN_CHECK(kBytes[0] == 1, "the original was written");
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

TEST(ExactBlock, EveryByteInsideCanBeReadAndNoneBeside) {
  if (!sim::kAsan) GTEST_SKIP() << "this flavour has no sanitizer";
  for (size_t size : {0U, 1U, 7U, 8U, 13U}) {
    for (ptrdiff_t index : {ptrdiff_t{-1}, static_cast<ptrdiff_t>(size)}) {
      sim::Outcome outcome = read_at(size, index);
      ASSERT_TRUE(outcome.found) << size << " bytes, at " << index;
      EXPECT_EQ(outcome.finding.rule, sim::Rule::kAddress) << outcome.finding.headline;
    }
    if (size > 0) {
      EXPECT_FALSE(read_at(size, 0).found);
      EXPECT_FALSE(read_at(size, static_cast<ptrdiff_t>(size) - 1).found);
    }
  }
}

TEST(ExactBlock, AWriteBehindItIsFoundInEveryFlavour) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run&) {
    sim::ExactBlock block(size_t{5});
    block.bytes().data()[5 + past] = 0;
  });
  EXPECT_TRUE(outcome.found);
}

TEST(ExactBlock, WithoutMemoryTheRunEnds) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run& run) {
    run.machine.fail_allocation(0);
    const sim::ExactBlock block(kBytes);
  });
  ASSERT_TRUE(outcome.found);
  EXPECT_NE(std::string_view(outcome.finding.headline).find("the heap has no 13 bytes"),
            std::string_view::npos);
}

} // namespace
} // namespace kiln
