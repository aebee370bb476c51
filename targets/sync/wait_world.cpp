#include "targets/sync/wait_world.h"

#include "kernel-src/hal/time.h"
#include "sim/probe.h"

namespace kiln::sync {
namespace {

constexpr const char* kTarget = "sync/waits";
sim::Probe waited_for{kTarget, "a task waits and gets it"};
sim::Probe there_already{kTarget, "it is there before the wait"};
sim::Probe gave_up{kTarget, "a timed wait gives up"};
sim::Probe timed_got{kTarget, "a timed wait gets it after waiting"};
sim::Probe photo_finish{kTarget, "a timed wait gets it when its deadline has passed"};
sim::Probe opened_for_two{kTarget, "one signal wakes two tasks"};
sim::Probe from_irq{kTarget, "an interrupt wakes a task"};
sim::Probe from_soft_irq{kTarget, "a soft IRQ wakes a task"};
sim::Probe group_of_two{kTarget, "two tasks wait for one group"};
sim::Probe answered_early{kTarget, "an answer comes before its wait"};
sim::Probe passed_on{kTarget, "a token's signal is passed on"};

template <typename Object> bool wait_for(Object& object, uint64_t deadline_ns) {
  if (deadline_ns != kHalNever) {
    return object.wait_until(deadline_ns);
  }
  object.wait();
  return true;
}

} // namespace

Count& WaitWorld::count(Thing thing, unsigned index) {
  switch (thing) {
  case Thing::kSemaphore:
    return semaphore_counts_[index % 2];
  case Thing::kCompletion:
    return completion_counts_[index % 2];
  case Thing::kOwnEvent:
    return own_counts_[index % kMostWaiters];
  case Thing::kTokens:
    return token_count_;
  case Thing::kGate:
    return gate_count_;
  default:
    return group_count_;
  }
}

void WaitWorld::expect_group(unsigned members) {
  group_members_ = members;
  if (members != 0) {
    group_.add(members);
  }
}

/// When the machine idles, nobody waits for a unit that is there.
void WaitWorld::check_nobody_left(Thing thing, const Count& c, unsigned more) {
  if (thing != Thing::kSemaphore && thing != Thing::kCompletion) {
    return;
  }
  KILN_CHECK(c.waiting == 0 || c.supplied + more <= c.got || machine_.idle_until() <= c.changed_ns,
             "%u tasks waited while there was something to get", c.waiting);
}

/// A signal of an auto-reset event lets one wait through, or none.
void WaitWorld::check_signals(const Count& c) {
  KILN_CHECK(c.woken <= c.signals, "%u waits came back after %u signals", c.woken, c.signals);
}

void WaitWorld::supply(Thing thing, unsigned index, unsigned units) {
  Count& c = count(thing, index);
  check_nobody_left(thing, c, &c == &semaphore_counts_[1] ? 1 : 0);
  c.changed_ns = machine_.now();
  ++c.signals;
  c.supplied += units;
  if (c.waiting != 0) {
    (in_interrupt() ? from_irq : in_soft_irq() ? from_soft_irq : waited_for).hit();
  }
  switch (thing) {
  case Thing::kSemaphore:
    return semaphores_[index % 2].release(units);
  case Thing::kCompletion:
    return completions_[index % 2].complete();
  case Thing::kOwnEvent:
    return own_[index % kMostWaiters].signal();
  case Thing::kTokens:
    ++tokens_;
    return token_event_.signal();
  case Thing::kGate:
    if (c.waiting >= 2) {
      opened_for_two.hit();
    }
    all_done_.complete_all();
    return gate_.signal();
  default:
    if (c.waiting >= 2) {
      group_of_two.hit();
    }
    return group_.done();
  }
}

bool WaitWorld::wait_semaphore(unsigned index, uint64_t deadline_ns) {
  clay::Semaphore& semaphore = semaphores_[index];
  if (semaphore.try_acquire()) {
    return true;
  }
  if (deadline_ns != kHalNever) {
    return semaphore.acquire_until(deadline_ns);
  }
  semaphore.acquire();
  return true;
}

/// The classic loop: look at the count, wait for the event, look again.
bool WaitWorld::wait_own_event(unsigned task, uint64_t deadline_ns) {
  const Count& c = own_counts_[task];
  const bool by_hand = task % 2 == 1;
  for (;;) {
    if (by_hand) {
      own_[task].clear();
    }
    if (c.supplied > c.got) {
      return true;
    }
    if (deadline_ns == kHalNever) {
      own_[task].wait();
    } else if (!own_[task].wait_until(deadline_ns)) {
      return false;
    }
    if (!by_hand) {
      ++own_counts_[task].woken;
      check_signals(own_counts_[task]);
    }
  }
}

/// Whoever takes a token and leaves some passes the signal on: signals of an auto-reset event that
/// nobody waits for become one.
bool WaitWorld::wait_tokens(uint64_t deadline_ns) {
  while (tokens_ == 0) {
    if (deadline_ns == kHalNever) {
      token_event_.wait();
    } else if (!token_event_.wait_until(deadline_ns)) {
      if (tokens_ == 0) {
        return false;
      }
      continue;
    }
    ++token_count_.woken;
    check_signals(token_count_);
  }
  if (--tokens_ != 0) {
    passed_on.hit();
    ++token_count_.signals;
    token_event_.signal();
  }
  return true;
}

void WaitWorld::judge(Thing thing, Count& c, bool got, bool waited, uint64_t began_ns,
                      uint64_t deadline_ns) {
  if (!got) {
    gave_up.hit();
    return check_gave_up(machine_, began_ns, deadline_ns, "a timed wait");
  }
  if (!waited) {
    there_already.hit();
  } else if (deadline_ns != kHalNever) {
    (machine_.now() >= deadline_ns ? photo_finish : timed_got).hit();
  }
  ++c.got;
  const unsigned there = c.supplied + (&c == &semaphore_counts_[1] ? 1 : 0);
  if (thing == Thing::kGate) {
    KILN_CHECK(c.supplied != 0, "a wait went through a gate that nobody had opened");
  } else if (thing == Thing::kGroup) {
    KILN_CHECK(c.supplied == group_members_, "a group was over when %u of %u were done", c.supplied,
               group_members_);
  } else {
    KILN_CHECK(c.got <= there, "%u waits came back and %u units were supplied", c.got, there);
  }
}

bool WaitWorld::get(Thing thing, unsigned index, unsigned task, uint64_t deadline_ns) {
  Count& c = count(thing, thing == Thing::kOwnEvent ? task : index);
  const uint64_t began_ns = machine_.now();
  const unsigned before = c.supplied;
  ++c.waiting;
  c.changed_ns = began_ns;
  bool got = true;
  switch (thing) {
  case Thing::kSemaphore:
    got = wait_semaphore(index % 2, deadline_ns);
    break;
  case Thing::kCompletion:
    got = wait_for(completions_[index % 2], deadline_ns);
    break;
  case Thing::kOwnEvent:
    got = wait_own_event(task, deadline_ns);
    break;
  case Thing::kTokens:
    got = wait_tokens(deadline_ns);
    break;
  case Thing::kGate:
    got = index % 2 == 0 ? wait_for(gate_, deadline_ns) : wait_for(all_done_, deadline_ns);
    break;
  default:
    got = wait_for(group_, deadline_ns);
    break;
  }
  --c.waiting;
  judge(thing, c, got, c.supplied != before, began_ns, deadline_ns);
  return got;
}

void WaitWorld::ask_device(Answer::Kind kind, unsigned cpu, bool timed) {
  clay::Result<clay::Box<Answer>> made = clay::make_box<Answer>(kHalAllocMayWait, kind);
  if (!made.ok()) {
    return;
  }
  const clay::Box<Answer> answer = made.take();
  asked_.push_back(answer.get());
  machine_.raise_irq(cpu % machine_.cpus(), kDeviceLine);
  breathe();
  if (answer->came()) {
    answered_early.hit();
  }
  answer->wait(timed);
}

void WaitWorld::answer_all() {
  while (!asked_.empty()) { // two that asked may have raised the line once
    Answer* answer = asked_.back();
    asked_.pop_back();
    answer->tell(); // and it may be gone
  }
}

void WaitWorld::check_left() {
  for (unsigned i = 0; i < 2; ++i) {
    const Count& s = semaphore_counts_[i];
    unsigned left = 0;
    while (semaphores_[i].try_acquire()) {
      ++left;
    }
    KILN_CHECK(left == s.supplied + i - s.got, "a semaphore has %u permits left, not %u", left,
               s.supplied + i - s.got);
    const Count& c = completion_counts_[i];
    left = 0;
    while (completions_[i].done()) {
      completions_[i].wait();
      ++left;
    }
    KILN_CHECK(left == c.supplied - c.got, "a completion has %u left, not %u", left,
               c.supplied - c.got);
  }
  KILN_CHECK(tokens_ == token_count_.supplied - token_count_.got, "a token was lost");
}

} // namespace kiln::sync
