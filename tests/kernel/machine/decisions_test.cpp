// Decisions of the tape: one that finds no choice at its point leaves the others as they are.

#include <gtest/gtest.h>
#include <utility>

#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/task.h"
#include "sim/sched_lane.h"
#include "sim/tape.h"
#include "tests/support/in_machine.h"

namespace kiln {
namespace {

constinit clay::LockClass counted_class{"counted"};

struct Counted {
  clay::SpinLock lock{counted_class};
  unsigned count = 0;
};

void count(void* argument) {
  auto& counted = *static_cast<Counted*>(argument);
  for (unsigned i = 0; i < 4; ++i) {
    clay::SpinGuard guard(counted.lock);
    ++counted.count;
  }
}

/// Tasks one after the other: while one is joined, nobody else can run.
void body(sim::Run&) {
  Counted counted;
  for (unsigned i = 0; i < 2; ++i) {
    auto first = clay::Task::create("first", count, &counted);
    auto second = clay::Task::create("second", count, &counted);
    KILN_CHECK(first.ok() && second.ok(), "a task could not be made");
    std::move(first).value().join();
    std::move(second).value().join();
  }
}

uint64_t digest_with(std::initializer_list<sim::Decision> decisions) {
  sim::Lanes lanes;
  lanes[sim::Lane::kSched] = sim::encode_sched({decisions.begin(), decisions.size()});
  return test::run_in_machine(body, sim::join_lanes(lanes)).digest;
}

TEST(Decisions, OneWithoutAChoiceLeavesTheOthersAsTheyAre) {
  const uint64_t ordinary = digest_with({});
  const uint64_t last = test::run_in_machine(body).points;
  unsigned without_choice = 0;
  for (uint64_t point = 0; point < last; ++point) {
    if (digest_with({{point, 1}}) != ordinary) continue;
    ++without_choice;
    for (uint64_t later = point + 1; later < last; later += 3) {
      ASSERT_EQ(digest_with({{point, 1}, {later, 1}}), digest_with({{later, 1}}))
          << "points " << point << " and " << later << " of " << last;
    }
  }
  EXPECT_GT(without_choice, 0u);
  EXPECT_LT(without_choice, last);
}

} // namespace
} // namespace kiln
