#pragma once
// The driver of a simulated disk, below a request queue: takes the queue's commands, and answers
// them by interrupt at times that the world lane says, in any order.
//
//   worlds::Disk disk(shape);
//   block::DiskPort port(disk, run, {.line = kLine});
//   auto queue = clay::RequestQueue::create(port, block::shape_of(disk.shape()), limits);
//   port.connect(*queue);
//   ...
//   queue->stop();
//   port.disconnect();
//
// An answer comes 50 us after its command; or at another time, perhaps before start() has returned,
// perhaps long after others. Faults of time are what the disk's policy says: never answered,
// answered twice, answered later than the queue waits, removed. A command that is never answered
// may have been carried out all the same. The driver checks what the queue hands to it, as the
// contract in kernel-src/block/driver.h has it; what breaks it is a finding.

#include <cstdint>
#include <memory>
#include <vector>

#include "kernel-src/block/driver.h"
#include "kernel-src/block/queue.h"
#include "sim/machine.h"
#include "sim/target.h"
#include "worlds/disk/disk.h"

namespace kiln::block {

class DiskPort final : public clay::DiskDriver {
 public:
  struct Manner {
    unsigned cpu = 0; ///< takes the interrupts
    unsigned line = 0;
    uint64_t usual_ns = 50'000;         ///< until an answer
    uint64_t late_ns = 120'000'000'000; ///< until one that is late; further up to half of it later
    /// Set: start() and reset() fail when the fault lane says so (1 in 64 of the calls, 1 in 8).
    bool may_refuse = false;
  };
  /// `disk` and `run` outlive it.
  DiskPort(worlds::Disk& disk, sim::Run& run, const Manner& manner);
  /// Disconnected.
  ~DiskPort();

  /// Before the first request.
  void connect(clay::RequestQueue& queue);
  /// Waits for its interrupt handler; after the queue has stopped. Task context.
  void disconnect();

  clay::Result<> start(const clay::DiskCommand& command) override;
  clay::Result<> reset() override;

  /// Somebody pulls the disk out: the queue hears of it by interrupt. Any context.
  void pull();
  /// The power goes, and nobody answers any more. The queue is told that the device is gone.
  void cut_power(worlds::TornSectors torn = worlds::TornSectors::kAtomic);

  struct Counts {
    uint64_t started = 0;
    uint64_t answered = 0;
    uint64_t at_once = 0;   ///< answered within start()
    uint64_t overtaken = 0; ///< answered before one that was started earlier
    uint64_t never = 0;
    uint64_t twice = 0;
    uint64_t late = 0;
    uint64_t shorter = 0; ///< moved less than asked for
    uint64_t errors = 0;
    uint64_t resets = 0;
    uint64_t lost = 0;    ///< answers that a reset swallowed
    uint64_t refused = 0; ///< start() that failed
  };
  const Counts& counts() const { return counts_; }
  size_t under_way() const { return flights_.size(); }

 private:
  struct Hub;
  struct Flight;
  struct Answer {
    uint32_t tag;
    worlds::DiskAnswer answer;
    size_t bytes;
  };

  void check(const clay::DiskCommand& command) const;
  void take_off(const clay::DiskCommand& command);
  void schedule(uint64_t delay_ns, uint64_t number);
  uint64_t delay_for(worlds::FaultKind fate);
  /// The flight's time has come: the disk does it, and there is an answer.
  Answer land(Flight& flight);
  void answer(uint64_t number);
  void deliver(const Answer& answer);
  void raise();
  static void on_event(void* event);
  static void on_interrupt(unsigned line, void* self);

  worlds::Disk& disk_;
  sim::Run& run_;
  const Manner manner_;
  Hub* const hub_; ///< events point here; they may come after this has gone
  clay::RequestQueue* queue_ = nullptr;
  std::vector<std::unique_ptr<Flight>> flights_; ///< in the order in which they were started
  std::vector<Answer> answers_;                  ///< that the handler has not seen
  uint64_t next_number_ = 1;
  Counts counts_;
  bool gone_ = false; ///< the handler has yet to say so
  bool told_ = false; ///< it has
  bool starting_ = false;
  bool resetting_ = false;
};

} // namespace kiln::block
