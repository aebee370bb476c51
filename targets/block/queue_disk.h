#pragma once
// For block/queue: the driver of a disk that answers late, twice, in any order, too little, not at
// all, or with nonsense, and that goes away.
//
// Its medium and its cache are a worlds::Disk. The device reads and writes the memory of a command
// when it answers, and that of one that it never answers whenever it likes until it is reset:
// whoever takes that memory back too early is found by what is written there.

#include <cstdint>
#include <deque>
#include <vector>

#include "kernel-src/block/queue.h"
#include "kernel-src/task/interrupts.h"
#include "sim/target.h"
#include "targets/block/queue_watch.h"
#include "worlds/disk/disk.h"

namespace kiln::block {

/// What such a disk may do in this input; zeros are a good disk.
struct Temper {
  bool at_once;       ///< some commands are done before start() has returned
  bool refuses;       ///< start() fails now and then
  bool silent;        ///< some commands are never answered
  bool late;          ///< or after their time
  bool twice;         ///< or twice
  bool nonsense;      ///< answers to what nobody asked, and for more than was asked
  bool slow_reset;    ///< a reset takes time
  bool failing_reset; ///< a reset may fail
  bool eager;         ///< interrupts come at any scheduling point
  uint32_t delay_ns;  ///< commands take up to so long
};

class HostileDisk final : public clay::DiskDriver {
 public:
  HostileDisk(sim::Run& run, const Temper& temper, Watch& watch, const WatchRules& rules);
  ~HostileDisk();

  void attach(clay::RequestQueue* queue);
  /// No interrupt comes any more. Task context.
  void detach();

  clay::Result<> start(const clay::DiskCommand& command) override;
  clay::Result<> reset() override;

  /// The device is taken away, or its power is cut; the queue is told. Any context that may call
  /// the queue.
  void remove();
  /// The same at that time, by an interrupt.
  void remove_at(uint64_t ns);
  bool is_removed() const { return removed_; }
  /// The turn of the removal, which is a cut of the power.
  Turn removed_turn() const { return removed_turn_; }

  worlds::Disk& disk() { return disk_; }
  /// Commands that the queue has not heard of again.
  size_t under_way() const { return flights_.size(); }

  /// A call of the queue, by whomever, while it is under way.
  class Inside {
   public:
    explicit Inside(HostileDisk& disk) : disk_(disk), since_(disk.watch_.next_turn()) {
      disk.inside_.push_back(since_);
    }
    ~Inside() { std::erase(disk_.inside_, since_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    HostileDisk& disk_;
    const Turn since_;
  };

 private:
  struct Active {
    Flight flight;
    worlds::Disk::CommandId id = 0;
    std::vector<uint8_t> data; ///< all its pieces
    uint64_t due_ns = 0;
    bool at_once = false;
    bool refused = false;
    bool answers = true; ///< else it is only carried out
    bool twice = false;
    bool boasts = false; ///< says that it did more than it was asked for
    uint32_t junk = 0;   ///< bytes of the next sector that were transferred too
    bool carried_out = false;
    worlds::DiskAnswer answer = worlds::DiskAnswer::kOk;
    uint64_t moved = 0; ///< sectors
  };
  /// An answer that is one too many.
  struct Echo {
    uint32_t tag;
    uint64_t due_ns;
    clay::Result<> result;
    size_t bytes;
    bool second; ///< to a command that is being answered: which one comes first is not known
  };

  clay::Result<> refuse(const Active& active, clay::Error error);
  void decide(Active& active);
  void draw_nonsense();
  void echo(Echo echo);
  void gather(Active& active) const;
  void scatter(const Active& active, size_t left) const;
  void carry_out(Active& active);
  void answer(size_t index);
  bool complete(uint32_t tag, clay::Result<> result, size_t bytes);

  void call_at(uint64_t ns);
  static void on_time(void* self);
  static void on_interrupt(unsigned line, void* self);
  void interrupt();
  bool answer_one_due();
  bool echo_one_due();

  bool is_late(const Active& active) const;
  bool reset_may_be_due() const;
  void check_reset_is_due() const;

  sim::Run& run_;
  const Temper temper_;
  Watch& watch_;
  const WatchRules rules_;
  worlds::Disk disk_;
  worlds::DiskFaults faults_;
  clay::RequestQueue* queue_ = nullptr;
  clay::InterruptHandler handler_;
  std::vector<Active> flights_;
  std::vector<Echo> echoes_;
  std::vector<Turn> inside_; ///< when the calls that are under way began, in order
  unsigned next_cpu_ = 0;
  unsigned starting_ = 0;
  std::vector<const Active*> answering_; ///< on the stacks of those who do it
  bool resetting_ = false;
  bool was_reset_ = false;
  bool reset_has_failed_ = false;
  uint64_t late_ns_ = 0; ///< when a command was last late, or a reset ended; recovery may follow
  uint64_t removal_due_ns_ = UINT64_MAX;
  bool removed_ = false;
  Turn removed_turn_ = UINT64_MAX;
};

} // namespace kiln::block
