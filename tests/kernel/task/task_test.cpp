// Tasks, boxes and references.

#include "kernel-src/hal/time.h"
#include "kernel-src/task/heap.h"
#include "kernel-src/task/ref.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

TEST(Task, RunsOnTheCpusOfItsMask) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(3);
    for (unsigned cpu = 0; cpu < 3; ++cpu) {
      auto task = clay::Task::spawn(
          "pinned", [cpu] { KILN_CHECK(hal_cpu_id() == cpu, "on another CPU"); },
          uint64_t{1} << cpu);
      KILN_CHECK(task.ok(), "no task");
      task.take().join();
    }
  });
}

TEST(Task, ATimedJoinKeepsTheHandle) {
  expect_silent([](sim::Run&) {
    auto made = clay::Task::spawn("sleeper", [] { clay::sleep_for(10'000); });
    clay::Task task = made.take();
    const uint64_t deadline_ns = hal_clock_ns() + 100;
    if (!task.join_until(deadline_ns)) {
      KILN_CHECK(hal_clock_ns() >= deadline_ns && task, "it gave up early, or lost the handle");
      task.join();
    }
    KILN_CHECK(!task, "a joined task has a handle");
  });
}

TEST(Task, ThatIsNotJoinedIsABug) {
  expect_breaks(
      [](sim::Run&) {
        auto task = clay::Task::spawn("lost", [] {});
        static_cast<void>(task);
      },
      sim::Rule::kPanic);
}

TEST(Task, CannotJoinItself) {
  expect_breaks(
      [](sim::Run&) {
        static constinit clay::Task* self;
        auto task = clay::Task::spawn("self", [] { self->join(); });
        clay::Task handle = task.take();
        self = &handle;
        clay::sleep_for(100);
      },
      sim::Rule::kSelfJoin);
}

TEST(Task, CreationCopesWithoutMemory) {
  expect_silent([](sim::Run& run) {
    run.machine.fail_allocation(0);
    KILN_CHECK(clay::Task::spawn("none", [] {}).failed_with(clay::Error::kNoMemory), "no error");
    run.machine.fail_allocation(0);
    KILN_CHECK(!clay::Task::create("none", [](void*) {}, nullptr).ok(), "no error");
    run.machine.fail_allocation(0);
    KILN_CHECK(!clay::make_box<int>(kHalAllocMayWait, 3).ok(), "no error");
  });
}

class Counted : public clay::RefCounted<Counted> {
 public:
  explicit Counted(unsigned& ended) : ended_(ended) {}
  ~Counted() { ++ended_; }

 private:
  unsigned& ended_;
};

TEST(Ref, TheLastOneEndsTheObject) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    unsigned ended = 0;
    auto made = clay::make_ref<Counted>(kHalAllocMayWait, ended);
    clay::Ref<Counted> mine = made.take();
    auto task = clay::Task::spawn("other", [theirs = mine]() mutable { theirs.reset(); });
    clay::Task handle = task.take();
    clay::Ref<Counted> moved = std::move(mine);
    KILN_CHECK(!mine && moved->try_add_ref(), "a living object is not referred to");
    moved->drop_ref();
    moved.reset();
    handle.join();
    clay::sleep_for(10);
    KILN_CHECK(ended == 1, "it ended %u times", ended);
  });
}

TEST(Ref, OneThatIsForgottenIsFound) {
  expect_breaks(
      [](sim::Run&) {
        static unsigned ended;
        auto made = clay::make_ref<Counted>(kHalAllocMayWait, ended);
        made.take().leak();
      },
      sim::Rule::kLeakReference);
}

TEST(Box, MovesAndEndsItsObject) {
  expect_silent([](sim::Run&) {
    struct Flag {
      bool& ended;
      explicit Flag(bool& e) : ended(e) {}
      ~Flag() { ended = true; }
    };
    bool ended = false;
    {
      clay::Box<Flag> box = clay::make_box<Flag>(kHalAllocAtomic, ended).take();
      clay::Box<Flag> other = std::move(box);
      KILN_CHECK(!box && other && !ended, "a moved box");
    }
    KILN_CHECK(ended, "the object goes on");
  });
}

} // namespace
} // namespace kiln::test
