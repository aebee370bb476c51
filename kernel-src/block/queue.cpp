// Requests in, commands out, requests back.
//
// One context at a time starts commands (dispatching_), without the lock; whoever comes meanwhile
// leaves its work to it, since it looks again under the lock before it stops. So a driver may
// complete a command within start(), and `done` may submit, without any recursion.

#include "kernel-src/block/queue.h"

#include <new>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/task/sleep.h"

namespace clay {
namespace {

/// Commands that one context starts in a row; the queue's own task does the rest.
constexpr unsigned kMostStarts = 64;

bool sound(const QueueLimits& limits) {
  return limits.slots >= 1 && limits.slots <= QueueLimits::kMostSlots && limits.command_ns >= 1 &&
         limits.most_admitted >= 1;
}

RequestPhase first_phase(const BlockShape& shape, const BlockIo& io) {
  if (io.op == BlockOp::kFlush) {
    return kRequestFlushAfter;
  }
  return io.flush_first && shape.volatile_cache ? kRequestFlushBefore : kRequestTransfer;
}

} // namespace

RequestQueue::RequestQueue(DiskDriver& driver, const BlockShape& shape, const QueueLimits& limits)
    : BlockDevice(shape), driver_(driver), limits_(limits),
      window_(limits.most_admitted, limits.most_passed) {}

Result<Box<RequestQueue>> RequestQueue::create(DiskDriver& driver, const BlockShape& shape,
                                               const QueueLimits& limits) {
  CLAY_TRY(check_shape(shape));
  if (!sound(limits)) {
    return Error::kInvalid;
  }
  void* block = hal_alloc(sizeof(RequestQueue), alignof(RequestQueue), kHalAllocMayWait);
  if (block == nullptr) {
    return Error::kNoMemory;
  }
  Box<RequestQueue> queue(new (block) RequestQueue(driver, shape, limits));
  CLAY_TRY(queue->slots_.create(limits.slots, shape.most_segments, shape.sector_bytes));
  CLAY_TRY(queue->recovery_.start());
  return queue;
}

RequestQueue::~RequestQueue() { CLAY_ASSERT(pending_ == 0 && !timer_armed_); }

// --- Requests

void RequestQueue::submit(BlockIo& io) {
  if (const Result<> sound = check_io(shape(), io); !sound.ok()) {
    return finish_io(io, sound);
  }
  const bool nothing_to_do = io.op == BlockOp::kFlush && !shape().volatile_cache;
  Finished finished;
  hal_preempt_disable(); // others rely on whoever starts commands
  {
    IrqSpinGuard guard(lock_);
    ++pending_;
    if (gone_ || stopping_ || nothing_to_do) {
      set_result(io, gone_ || stopping_ ? Result<>(Error::kNoDevice) : Result<>());
      finished.push_back(io);
    } else {
      backlog_.push_back(io);
      refill();
      start_commands(guard, finished);
    }
  }
  hal_preempt_enable();
  give_back(finished);
}

/// Lets requests into the window while there is room.
void RequestQueue::refill() {
  while (!window_.full() && !backlog_.empty()) {
    BlockIo& io = *backlog_.pop_front();
    window_.add(io, first_phase(shape(), io), started_);
  }
}

void RequestQueue::give_back(Finished& finished) {
  uint64_t count = 0;
  while (BlockIo* io = finished.pop_front()) {
    finish_io(*io, result_of(*io));
    ++count;
  }
  if (count != 0) {
    IrqSpinGuard guard(lock_);
    pending_ -= count;
    wake_idle();
  }
}

void RequestQueue::wake_idle() {
  if (pending_ == 0 || !dispatching_) {
    idle_.grant_all(); // they look again
  }
}

// --- Commands

void RequestQueue::start_commands(IrqSpinGuard& guard, Finished& finished) {
  if (dispatching_) {
    return;
  }
  dispatching_ = true;
  for (unsigned starts = 0; CommandSlot* slot = next_command(); ++starts) {
    if (starts == kMostStarts) {
      recovery_work_.queue();
      break;
    }
    ++started_;
    last_was_flush_ = slot->is_flush();
    slots_.start(*slot);
    const uint32_t tag = slot->command().tag;
    guard.unlock();
    const Result<> started = driver_.start(slot->command());
    guard.lock();
    if (slots_.find_tag(tag) != slot) {
      continue; // it has been completed already
    }
    if (started.ok()) {
      slot->set_deadline(deadline_after(limits_.command_ns)); // the device has it only now
      arm(slot->deadline_ns());
    } else {
      settle(*slot, started, 0, finished);
    }
  }
  dispatching_ = false;
  wake_idle();
}

/// A slot with the command that comes next; null when none may be started. What was to be tried
/// again comes first: others may wait for it.
CommandSlot* RequestQueue::next_command() {
  if (frozen_ || gone_) {
    return nullptr;
  }
  if (CommandSlot* again = slots_.find_ready()) {
    return again;
  }
  CommandSlot* slot = slots_.find_free();
  if (slot == nullptr) {
    return nullptr;
  }
  BlockIo* io = window_.choose(head_, started_);
  if (window_.wants_flush() && !flushing_ && !(last_was_flush_ && io != nullptr)) {
    flushing_ = true;
    window_.begin_flush();
    slot->begin_flush();
    return slot;
  }
  if (io == nullptr) {
    return nullptr;
  }
  fill(*slot, *io);
  return slot;
}

/// Makes a command of `first` and of what follows it on the disk.
void RequestQueue::fill(CommandSlot& slot, BlockIo& first) {
  slot.begin(first, first.durable && shape().volatile_cache && shape().has_durable_write);
  uint32_t room = shape().most_sectors;
  for (BlockIo* io = &first; io != nullptr; io = window_.adjacent(first, head_)) {
    const uint64_t offset = io->progress.started;
    const uint64_t left = io->sectors - offset;
    const auto sectors = static_cast<uint32_t>(left < room ? left : room);
    slot.add(*io, offset, sectors);
    io->progress.started += sectors;
    ++io->progress.parts;
    io->progress.born = started_;
    head_ = next_sector(*io);
    room -= sectors;
    if (room == 0 || slot.full()) {
      return;
    }
  }
}

bool RequestQueue::complete(uint32_t tag, Result<> result, size_t bytes) {
  Finished finished;
  bool known = false;
  hal_preempt_disable();
  {
    IrqSpinGuard guard(lock_);
    CommandSlot* slot = gone_ ? nullptr : slots_.find_tag(tag);
    known = slot != nullptr;
    if (known) {
      settle(*slot, result, bytes, finished);
      start_commands(guard, finished);
    }
  }
  hal_preempt_enable();
  give_back(finished);
  return known;
}

} // namespace clay
