// Events, semaphores, completions, wait groups and sequence locks.

#include <optional>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/completion.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/sync/semaphore.h"
#include "kernel-src/sync/seq_lock.h"
#include "kernel-src/sync/wait_group.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

template <typename Body> clay::Task start(Body body) {
  auto task = clay::Task::spawn("task", body);
  KILN_CHECK(task.ok(), "no task");
  return task.take();
}

TEST(Event, KeepsASignalForOneWait) {
  expect_silent([](sim::Run&) {
    clay::Event event{"event"};
    event.signal();
    event.signal();
    event.wait();
    KILN_CHECK(!event.is_set() && !event.wait_until(hal_clock_ns() + 100), "two waits, one signal");
  });
}

TEST(Event, AManualOneStaysUntilCleared) {
  expect_silent([](sim::Run&) {
    clay::SharedEvent event{"event"};
    event.signal();
    event.wait();
    event.wait();
    event.clear();
    KILN_CHECK(!event.wait_until(hal_clock_ns() + 100), "it was cleared");
  });
}

TEST(Event, ASignalAndAWaitMeetUnderEverySchedule) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    run.machine.allow_spurious_wakes(true);
    clay::Event ping{"ping"};
    clay::Event pong{"pong"};
    clay::Task task = start([&] {
      for (unsigned i = 0; i < 3; ++i) {
        ping.wait();
        pong.signal();
      }
    });
    for (unsigned i = 0; i < 3; ++i) {
      ping.signal();
      pong.wait();
    }
    task.join();
  });
}

TEST(Event, MadeForOneWaiterRefusesTwo) {
  expect_breaks(
      [](sim::Run&) {
        clay::Event event{"event"};
        clay::Task task = start([&] { event.wait(); });
        clay::sleep_for(100);
        event.wait();
      },
      sim::Rule::kTwoWaiters);
}

TEST(Event, IsNotUsedAfterItsEnd) {
  const sim::Outcome outcome = run_in_machine([](sim::Run&) {
    alignas(clay::Event) unsigned char memory[2][sizeof(clay::Event)];
    auto* event = new (memory[0]) clay::Event{"event"};
    auto* other = new (memory[1]) clay::Event{"event"};
    event->~Event();
    other->~Event();
    event->signal();
  });
  ASSERT_TRUE(outcome.found);
  const sim::Finding& finding = outcome.finding;
  EXPECT_EQ(finding.rule, sim::Rule::kUseDestroyed) << finding.headline;
  EXPECT_STREQ(finding.other_label, "the event was destroyed here");
  EXPECT_GT(finding.other.count, 2u) << "a place, and not how it was reached";
}

TEST(Semaphore, WakesAsManyAsThereArePermits) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    clay::Semaphore semaphore{"semaphore", 1};
    unsigned inside = 0;
    auto body = [&] {
      semaphore.acquire();
      KILN_CHECK(++inside <= 3, "%u have a permit", inside);
      clay::sleep_for(100);
      --inside;
    };
    clay::Task tasks[3] = {start(body), start(body), start(body)};
    semaphore.release(2);
    for (auto& task : tasks) {
      task.join();
    }
    KILN_CHECK(!semaphore.try_acquire(), "a permit too many");
  });
}

TEST(Completion, MayGoAsSoonAsTheWaitHasReturned) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    std::optional<clay::Completion> done;
    done.emplace("done");
    clay::Completion* address = &*done;
    clay::Task task = start([address] { address->complete(); });
    done->wait();
    done.reset();
    done.emplace("another"); // in the same place
    KILN_CHECK(!done->done(), "a new completion is done");
    task.join();
  });
}

TEST(Completion, ForAllStaysDone) {
  expect_silent([](sim::Run&) {
    clay::Completion done{"done"};
    clay::Task a = start([&] { done.wait(); });
    clay::Task b = start([&] { done.wait(); });
    done.complete_all();
    a.join();
    b.join();
    done.wait();
    KILN_CHECK(done.done(), "it is not done any more");
  });
}

TEST(WaitGroup, WaitsForTheLast) {
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    clay::WaitGroup group{"group"};
    unsigned left = 2;
    group.add(2);
    auto body = [&] {
      clay::sleep_for(50);
      --left;
      group.done();
    };
    clay::Task a = start(body);
    clay::Task b = start(body);
    group.wait();
    KILN_CHECK(left == 0, "%u are left", left);
    a.join();
    b.join();
    group.wait(); // of nothing
  });
}

TEST(SeqLock, GivesWholeValues) {
  static constinit clay::LockClass seq_class{"test-seq"};
  struct Value {
    uint64_t a;
    uint32_t b;
    uint8_t c;
  };
  expect_silent([](sim::Run& run) {
    run.machine.set_cpus(2);
    clay::SeqLock<Value> shared{seq_class};
    clay::Task task = start([&] {
      for (uint8_t i = 1; i < 5; ++i) {
        shared.write({i, uint32_t{i} * 2, i});
      }
    });
    for (unsigned i = 0; i < 5; ++i) {
      const Value value = shared.read();
      KILN_CHECK(value.b == value.a * 2 && value.c == value.a, "a torn value");
    }
    task.join();
    shared.update([](Value& value) { value.c = 9; });
    Value value{};
    KILN_CHECK(shared.peek(&value) && value.a == 4 && value.c == 9, "the last value");
  });
}

} // namespace
} // namespace kiln::test
