// Commands that take too long, devices that go, and the end of the queue.
//
// What was found in an interrupt is done by the queue's own task, which alone takes commands back
// that the device has not completed: nothing starts meanwhile (frozen_), and it waits for a start()
// that is under way.

#include "kernel-src/block/queue.h"
#include "kernel-src/lib/assert.h"

namespace clay {
namespace {

/// A command that others' resets interrupt begins again this often.
constexpr uint8_t kMostTakenBack = 8;
/// Requests that end at a time, with interrupts off.
constexpr unsigned kMostAtOnce = 16;

} // namespace

// --- Late commands

/// The timer is armed while anything is under way. It may be early, when what it was armed for is
/// done; it is armed anew then.
void RequestQueue::arm(uint64_t deadline_ns) {
  if (!timer_armed_) {
    timer_armed_ = timer_.arm_at(deadline_ns);
  }
}

void RequestQueue::on_timer(Timer&, void* self) {
  auto& queue = *static_cast<RequestQueue*>(self);
  IrqSpinGuard guard(queue.lock_);
  queue.timer_armed_ = false;
  queue.look_for_late();
}

/// Has late commands seen to, or arms the timer for the next that might become late.
void RequestQueue::look_for_late() {
  const uint64_t now_ns = hal_clock_ns();
  uint64_t next_ns = kHalNever;
  bool late = false;
  for (CommandSlot& slot : slots_) {
    if (slot.state() != CommandSlot::State::kUnderWay) {
      continue;
    }
    if (slot.deadline_ns() <= now_ns) {
      slot.set_late();
      late = true;
    } else if (slot.deadline_ns() < next_ns) {
      next_ns = slot.deadline_ns();
    }
  }
  if (late) {
    frozen_ = true;
    recovery_work_.queue();
  } else if (next_ns != kHalNever) {
    arm(next_ns);
  }
}

// --- Recovery

void RequestQueue::on_recovery(Work&, void* self) { static_cast<RequestQueue*>(self)->recover(); }

void RequestQueue::recover() {
  Finished finished;
  bool gone = false;
  {
    IrqSpinGuard guard(lock_);
    frozen_ = true;
    wait_not_dispatching(guard);
    if (!gone_ && any_late()) {
      reset_device(guard, finished);
    }
    gone = gone_;
    if (!gone_) {
      frozen_ = false;
      look_for_late();
    }
  }
  hal_preempt_disable();
  {
    IrqSpinGuard guard(lock_);
    start_commands(guard, finished);
  }
  hal_preempt_enable();
  give_back(finished);
  if (gone) {
    fail_all();
  }
}

bool RequestQueue::any_late() {
  for (CommandSlot& slot : slots_) {
    if (slot.state() == CommandSlot::State::kUnderWay && slot.late()) {
      return true;
    }
  }
  return false;
}

/// From here on nothing that the device says of these commands counts, so that a late word does not
/// hit what is begun again.
void RequestQueue::reset_device(IrqSpinGuard& guard, Finished& finished) {
  for (CommandSlot& slot : slots_) {
    if (slot.state() == CommandSlot::State::kUnderWay) {
      slot.begin_reset();
    }
  }
  guard.unlock();
  const Result<> reset = driver_.reset();
  guard.lock();
  if (!reset.ok()) {
    gone_ = true;
  }
  for (CommandSlot& slot : slots_) {
    if (!gone_ && slot.state() == CommandSlot::State::kInReset) {
      take_back(slot, finished);
    }
  }
}

void RequestQueue::take_back(CommandSlot& slot, Finished& finished) {
  if (slot.late() || slot.times_taken_back() == kMostTakenBack) {
    settle(slot, Error::kTimedOut, 0, finished);
  } else {
    slot.take_back();
  }
}

// --- The end of the device

void RequestQueue::removed() {
  IrqSpinGuard guard(lock_);
  gone_ = true;
  frozen_ = true;
  recovery_work_.queue();
}

/// Nothing starts and nothing completes any more.
void RequestQueue::fail_all() {
  for (bool more = true; more;) {
    Finished finished;
    {
      IrqSpinGuard guard(lock_);
      for (CommandSlot& slot : slots_) {
        slot.give_up();
      }
      for (unsigned i = 0; i < kMostAtOnce && !window_.empty(); ++i) {
        end_request(*window_.oldest(), Error::kNoDevice, finished);
      }
      more = !window_.empty();
    }
    give_back(finished);
  }
}

// --- The end of the queue

void RequestQueue::wait_idle(IrqSpinGuard& guard) {
  while (pending_ != 0 || dispatching_) {
    wait_a_while(guard);
  }
}

void RequestQueue::wait_not_dispatching(IrqSpinGuard& guard) {
  while (dispatching_) {
    wait_a_while(guard);
  }
}

void RequestQueue::wait_a_while(IrqSpinGuard& guard) {
  Waiter self;
  const HalWait what{"disk queue", this, nullptr, nullptr, nullptr};
  static_cast<void>(idle_.wait(guard, self, what, kHalNever));
}

void RequestQueue::finish() {
  {
    IrqSpinGuard guard(lock_);
    stopping_ = true;
    wait_idle(guard);
  }
  timer_.cancel();
  timer_armed_ = false;
  recovery_.stop();
}

} // namespace clay
