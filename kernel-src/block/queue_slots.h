#pragma once
// The commands of a queue, one a slot. A slot keeps its requests until each of them has what it
// asked for or has failed: a command that failed, fell short or was taken back begins again from
// its slot. Private to queue.h; its lock guards all of it, but for what a started command shows its
// driver.

#include <stdint.h>

#include "kernel-src/block/driver.h"
#include "kernel-src/hal/time.h"

namespace clay {

/// Consecutive sectors of one request.
struct CommandPart {
  BlockIo* io;
  uint64_t offset; ///< of the first one in the request
  uint32_t sectors;
};

class CommandSlot {
 public:
  enum class State : uint8_t {
    kFree,
    kReady,    ///< to be started, or started again
    kUnderWay, ///< the driver has it
    kInReset,  ///< and must give it back
  };

  State state() const { return state_; }
  bool is_flush() const { return command_.op == BlockOp::kFlush; }
  const DiskCommand& command() const { return command_; }
  uint64_t deadline_ns() const { return deadline_ns_; }
  void set_deadline(uint64_t ns) { deadline_ns_ = ns; }
  bool late() const { return late_; }
  void set_late() { late_ = true; }

  // --- What it consists of. Free slots only.

  void begin_flush();
  /// A command without sectors: parts follow.
  void begin(const BlockIo& io, bool durable);
  bool full() const { return last_ == most_parts_; }
  void add(BlockIo& io, uint64_t offset, uint32_t sectors);

  // --- What has become of it. Ready after that while there is something left, free then.

  /// The first part, and how many of them the command that was started has.
  const CommandPart& front() const { return parts_[first_]; }
  bool alone() const { return started_parts_ == 1; }
  /// The first part is done, well or not.
  void drop_front();
  /// `sectors`, less than it has, of the first part are done.
  void shorten_front(uint32_t sectors);
  /// From now on its parts are tried one by one.
  void begin_again_alone();
  /// How often it has been taken back without a fault of its own.
  uint8_t times_taken_back() const { return taken_back_; }
  void begin_reset() { state_ = State::kInReset; }
  void take_back();
  void give_up() { state_ = State::kFree; }

 private:
  friend class CommandSlots;

  void prepare();

  State state_ = State::kFree;
  bool one_by_one_ = false;
  bool late_ = false; ///< its time is over
  uint8_t taken_back_ = 0;
  uint16_t first_ = 0; ///< of parts_; the rest, up to last_, are left
  uint16_t last_ = 0;
  uint16_t started_parts_ = 0;
  uint16_t most_parts_ = 0;
  uint32_t sector_bytes_ = 0;
  uint32_t generation_ = 0; ///< of the last start: in the tag
  uint64_t deadline_ns_ = kHalNever;
  DiskCommand command_;
  CommandPart* parts_ = nullptr;
  DiskPiece* pieces_ = nullptr;
};

class CommandSlots {
 public:
  /// Parts of a command, however many pieces the device takes.
  static constexpr uint16_t kMostParts = 16;

  constexpr CommandSlots() = default;
  ~CommandSlots();
  CommandSlots(const CommandSlots&) = delete;
  CommandSlots& operator=(const CommandSlots&) = delete;

  /// Once. kNoMemory.
  Result<> create(uint16_t slots, uint32_t most_segments, uint32_t sector_bytes);

  /// Null when there is none.
  CommandSlot* find_free();
  CommandSlot* find_ready();
  /// The one under way that was started with `tag`.
  CommandSlot* find_tag(uint32_t tag);
  /// Makes the command of a slot that has parts, or is a flush, and gives it a tag. It has no
  /// deadline yet.
  void start(CommandSlot& slot);

  CommandSlot* begin() { return slots_; }
  CommandSlot* end() { return slots_ + count_; }

 private:
  static constexpr unsigned kSlotBits = 8; ///< of a tag; the rest is the generation

  CommandSlot* find(CommandSlot::State state);

  CommandSlot* slots_ = nullptr;
  uint16_t count_ = 0;
};

} // namespace clay
