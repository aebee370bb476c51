// Commands as they are put together, started, shortened and tried again.

#include "kernel-src/block/queue_slots.h"

#include <new>

#include "kernel-src/hal/memory.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"

namespace clay {

static_assert(QueueLimits::kMostSlots <= 1u << 8);

void CommandSlot::begin_flush() {
  CLAY_ASSERT(state_ == State::kFree);
  state_ = State::kReady;
  command_.op = BlockOp::kFlush;
  command_.durable = false;
  first_ = last_ = 0;
  one_by_one_ = false;
  taken_back_ = 0;
}

void CommandSlot::begin(const BlockIo& io, bool durable) {
  begin_flush();
  command_.op = io.op;
  command_.durable = durable;
}

void CommandSlot::add(BlockIo& io, uint64_t offset, uint32_t sectors) {
  CLAY_ASSERT(!full());
  parts_[last_++] = CommandPart{&io, offset, sectors};
}

void CommandSlot::drop_front() {
  CLAY_ASSERT(first_ < last_ && started_parts_ > 0);
  ++first_;
  --started_parts_;
  state_ = first_ == last_ ? State::kFree : State::kReady;
}

void CommandSlot::shorten_front(uint32_t sectors) {
  CommandPart& part = parts_[first_];
  CLAY_ASSERT(sectors < part.sectors);
  part.offset += sectors;
  part.sectors -= sectors;
  state_ = State::kReady;
}

void CommandSlot::begin_again_alone() {
  one_by_one_ = true;
  state_ = State::kReady;
}

void CommandSlot::take_back() {
  ++taken_back_;
  state_ = State::kReady;
}

/// Fills in the command: the driver reads it without the queue's lock, so it changes here only.
void CommandSlot::prepare() {
  state_ = State::kUnderWay;
  late_ = false;
  deadline_ns_ = kHalNever;
  const uint16_t left = static_cast<uint16_t>(last_ - first_);
  started_parts_ = one_by_one_ && left > 1 ? uint16_t{1} : left;
  command_.sector = 0;
  command_.sectors = 0;
  command_.pieces = {};
  if (is_flush()) {
    return;
  }
  const CommandPart* part = &parts_[first_];
  command_.sector = part->io->sector + part->offset;
  for (uint16_t i = 0; i < started_parts_; ++i, ++part) {
    command_.sectors += part->sectors;
    if (part->io->data != nullptr) {
      pieces_[i] = DiskPiece{part->io->data + part->offset * sector_bytes_, part->sectors};
    }
  }
  if (command_.op != BlockOp::kDiscard) {
    command_.pieces = Span<const DiskPiece>(pieces_, started_parts_);
  }
}

// --- All of them

Result<> CommandSlots::create(uint16_t slots, uint32_t most_segments, uint32_t sector_bytes) {
  const auto parts = static_cast<uint16_t>(most_segments < kMostParts ? most_segments : kMostParts);
  const size_t each = sizeof(CommandSlot) + parts * (sizeof(CommandPart) + sizeof(DiskPiece));
  auto* memory =
      static_cast<uint8_t*>(hal_alloc(slots * each, alignof(CommandSlot), kHalAllocMayWait));
  if (memory == nullptr) {
    return Error::kNoMemory;
  }
  slots_ = reinterpret_cast<CommandSlot*>(memory);
  auto* part = reinterpret_cast<CommandPart*>(memory + slots * sizeof(CommandSlot));
  auto* piece = reinterpret_cast<DiskPiece*>(part + size_t{slots} * parts);
  for (; count_ < slots; ++count_, part += parts, piece += parts) {
    auto* slot = new (static_cast<void*>(slots_ + count_)) CommandSlot();
    slot->command_.slot = count_;
    slot->most_parts_ = parts;
    slot->sector_bytes_ = sector_bytes;
    slot->parts_ = part;
    slot->pieces_ = piece;
  }
  return {};
}

CommandSlots::~CommandSlots() { hal_free(slots_); }

CommandSlot* CommandSlots::find(CommandSlot::State state) {
  for (CommandSlot& slot : *this) {
    if (slot.state_ == state) {
      return &slot;
    }
  }
  return nullptr;
}

CommandSlot* CommandSlots::find_free() { return find(CommandSlot::State::kFree); }
CommandSlot* CommandSlots::find_ready() { return find(CommandSlot::State::kReady); }

CommandSlot* CommandSlots::find_tag(uint32_t tag) {
  const uint32_t index = tag & ((1u << kSlotBits) - 1);
  if (index >= count_) {
    return nullptr;
  }
  CommandSlot& slot = slots_[index];
  return slot.state_ == CommandSlot::State::kUnderWay && slot.command_.tag == tag ? &slot : nullptr;
}

void CommandSlots::start(CommandSlot& slot) {
  slot.generation_ = (slot.generation_ + 1) & ((1u << (32 - kSlotBits)) - 1);
  slot.command_.tag = slot.generation_ << kSlotBits | slot.command_.slot;
  slot.prepare();
}

} // namespace clay
