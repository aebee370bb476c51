#include <utility>

#include "kernel-src/task/heap.h"
#include "kernel-src/task/ref.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "targets/sync/work_alone.h"

namespace kiln::sync {
namespace {

class Counted : public clay::RefCounted<Counted> {
 public:
  explicit Counted(unsigned& alive) : alive_(alive) { ++alive_; }
  ~Counted() { --alive_; }

 private:
  unsigned& alive_;
};

void check_refs() {
  unsigned alive = 0;
  auto made = clay::make_ref<Counted>(kHalAllocMayWait, alive);
  if (!made.ok()) {
    return;
  }
  clay::Ref<Counted> first = made.take();
  KILN_CHECK(first && first->ref_count() == 1, "a new object has %u references",
             first->ref_count());
  clay::Ref<Counted> second(*first);
  KILN_CHECK(first->ref_count() == 2 && second.get() == first.get(), "a reference is not counted");
  KILN_CHECK(second->try_add_ref(), "an object that lives is not given a reference");
  second->drop_ref();
  second.reset();
  KILN_CHECK(!second && alive == 1 && first->ref_count() == 1, "a reference is not given back");
  first.reset();
  KILN_CHECK(alive == 0, "an object is there after its last reference");
}

class Held : public clay::RefCounted<Held> {};

/// What the body of a task holds goes with the task: the machine counts references at the end.
void check_body(sim::Machine& machine, bool may_fail) {
  auto made = clay::make_ref<Held>(kHalAllocMayWait);
  if (!made.ok()) {
    return;
  }
  clay::Ref<Held> mine = made.take();
  auto task = clay::Task::spawn("holder", [theirs = mine] { static_cast<void>(theirs); });
  KILN_CHECK(task.ok() || may_fail, "a task could not be made");
  if (task.ok()) {
    clay::Task holder = task.take();
    const uint64_t began_ns = machine.now();
    clay::sleep_for(1000);
    KILN_CHECK(holder.ended() || machine.idle_until() <= began_ns, "a task does not end");
    holder.join();
  }
  const uint64_t joined_ns = machine.now();
  clay::sleep_for(1000); // until the task's own end has let go of its record
  KILN_CHECK(mine->ref_count() == 1 || machine.idle_until() <= joined_ns,
             "a task that has ended keeps what its body held");
}

void check_boxes() {
  unsigned alive = 0;
  struct Thing {
    explicit Thing(unsigned& a) : alive(a) { ++alive; }
    ~Thing() { --alive; }
    unsigned& alive;
  };
  clay::Box<Thing> kept;
  KILN_CHECK(!kept, "an empty box has something");
  for (unsigned i = 0; i < 2; ++i) {
    auto made = clay::make_box<Thing>(kHalAllocMayWait, alive);
    if (!made.ok()) {
      KILN_CHECK(made.failed_with(clay::Error::kNoMemory), "a box is refused for another reason");
      break;
    }
    kept = made.take();
    KILN_CHECK(kept && alive == 1, "%u things are alive and one is kept", alive);
  }
  clay::Box<Thing>& same = kept;
  kept = std::move(same);
  KILN_CHECK(!kept == (alive == 0), "a box that was assigned to itself has lost its thing");
  kept.reset();
  KILN_CHECK(!kept && alive == 0, "a thing is alive and its box is empty");
}

void check_no_memory(sim::Machine& machine) {
  machine.fail_allocation(0);
  const bool made = clay::make_box<unsigned>(kHalAllocMayWait, 1u).ok();
  machine.fail_allocation(UINT64_MAX);
  KILN_CHECK(!made, "a box is made without memory");
}

} // namespace

void check_refs_alone(sim::Machine& machine, bool may_fail) {
  check_refs();
  check_body(machine, may_fail);
  check_boxes();
  check_no_memory(machine);
}

} // namespace kiln::sync
